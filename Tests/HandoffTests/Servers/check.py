"""Whether the object store of the tests can be started. usage: check.py"""
import boto3
import moto.server
