"""Prints every object of the bucket as a line of JSON, read by boto3, and removes it.

usage: objects.py FOLDER PORT
"""
import hashlib
import json
import sys

import boto3

folder, port = sys.argv[1:3]
s3 = boto3.client(
    "s3",
    endpoint_url=f"http://127.0.0.1:{port}",
    region_name="eu-central-1",
    aws_access_key_id=open(folder + "/access").read(),
    aws_secret_access_key=open(folder + "/secret").read(),
)
for entry in s3.list_objects_v2(Bucket="signatures").get("Contents", []):
    found = s3.get_object(Bucket="signatures", Key=entry["Key"], ChecksumMode="ENABLED")
    print(
        json.dumps(
            {
                "key": entry["Key"],
                "type": found["ContentType"],
                "sha256": hashlib.sha256(found["Body"].read()).hexdigest(),
                "checksum": found.get("ChecksumSHA256"),
                "encryption": found.get("ServerSideEncryption"),
            }
        )
    )
    s3.delete_object(Bucket="signatures", Key=entry["Key"])
