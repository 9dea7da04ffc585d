"""Bodies that the tester does not know how to write."""

import schemathesis


@schemathesis.serializer("application/offset+octet-stream", "application/x-tar")
def as_bytes(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
