"""An object store with authentication on. usage: store.py FOLDER PORTFILE

Leaves a bucket "signatures", the keys of its one user in FOLDER/access and FOLDER/secret, and temporary keys of
a role in FOLDER/role-access, role-secret and role-session.
"""
import os
import sys

# So many requests make the user; every one after them is authenticated.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "7"

import boto3
from moto.server import ThreadedMotoServer

from common import announce

folder, portfile = sys.argv[1:3]
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
port = server.get_host_and_port()[1]
make = dict(
    endpoint_url=f"http://127.0.0.1:{port}",
    region_name="eu-central-1",
    aws_access_key_id="nobody",
    aws_secret_access_key="nothing",
)
iam = boto3.client("iam", **make)
iam.create_user(UserName="pad")
keys = iam.create_access_key(UserName="pad")["AccessKey"]
policy = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}'
iam.put_user_policy(UserName="pad", PolicyName="all", PolicyDocument=policy)
trust = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole"}]}'
role = iam.create_role(RoleName="pad", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
iam.put_role_policy(RoleName="pad", PolicyName="all", PolicyDocument=policy)
temporary = boto3.client("sts", **make).assume_role(RoleArn=role, RoleSessionName="pad")["Credentials"]
where = {"LocationConstraint": "eu-central-1"}
boto3.client("s3", **make).create_bucket(Bucket="signatures", CreateBucketConfiguration=where)
secrets = [
    ("access", keys["AccessKeyId"]),
    ("secret", keys["SecretAccessKey"]),
    ("role-access", temporary["AccessKeyId"]),
    ("role-secret", temporary["SecretAccessKey"]),
    ("role-session", temporary["SessionToken"]),
]
for name, text in secrets:
    with open(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        file.write(text)
announce(portfile, port)
server._thread.join()
