import base64
import hashlib
import hmac
import time


def is_signed(secret: str, headers: dict, body: bytes) -> bool:
    """Whether a request was signed with the secret in the last five minutes. The names of the headers are lower case."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = message_id.encode() + b"." + timestamp.encode() + b"." + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, one) for one in given)
