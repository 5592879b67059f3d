"""Exceptions of the REST framework that need none of its views."""

import math

from django.utils.functional import Promise
from django.utils.translation import ngettext
from rest_framework import status
from rest_framework.exceptions import APIException

from accounts.local_times import in_digits


class RateLimited(APIException):
    """Something was done too often. It may be done again after ``wait`` seconds."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "rate-limited"

    def __init__(self, reason: str | Promise, wait: float) -> None:
        self.wait = math.ceil(wait)
        advice = ngettext("Try again in %(wait)s second.", "Try again in %(wait)s seconds.", self.wait)
        super().__init__(f"{reason} {advice % {'wait': in_digits(str(self.wait))}}")
