"""Wrong passwords: ten from one address for one name, then a rest."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def log_in(client: Client, password: str, *, address: str = "192.0.2.1") -> int:
    response = client.post(
        "/admin/login/?next=/healthz", {"username": "chief", "password": password}, REMOTE_ADDR=address
    )
    return response.status_code


def test_ten_wrong_passwords_close_the_door_for_that_address_only(client: Client) -> None:
    User.objects.create_user("chief", password=PASSWORD, is_staff=True)
    assert [log_in(client, "wrong") for _ in range(9)] == [200] * 9
    assert log_in(client, "wrong") == 429
    assert log_in(client, PASSWORD) == 429
    assert log_in(client, PASSWORD, address="192.0.2.2") == 302


def test_a_right_password_clears_the_count(client: Client) -> None:
    User.objects.create_user("chief", password=PASSWORD, is_staff=True)
    for _ in range(2):
        assert [log_in(client, "wrong") for _ in range(9)] == [200] * 9
        assert log_in(client, PASSWORD) == 302
        client.logout()
