import base64
import hashlib
import hmac
import re
import time


def is_signed(secret: str, headers: dict, body: bytes) -> bool:
    """Whether a request was signed with the secret in the last five minutes. The names of the headers are lower case.

    Never raises for what a sender controls, and is False for a secret that is not base64.
    """
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    # A sender can put any character into a header, also a lone surrogate.
    message_id, timestamp, signatures = (str(headers.get(name) or "").encode("utf-8", "surrogatepass") for name in names)
    # Not str.isdigit(), which accepts "²", and not more digits than int() reads.
    if not message_id or not re.fullmatch(rb"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    try:
        key = base64.b64decode(str(secret or "").removeprefix("whsec_"), validate=True)
    except ValueError:
        return False
    if not key:
        return False
    signed = b".".join([message_id, timestamp, body])
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, one) for one in signatures.split(b" "))
