from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Which federation gave a national rating."""

    dependencies = [
        ("tournaments", "0017_record_refuses_replace"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="national_federation",
            field=models.CharField(blank=True, max_length=3, verbose_name="federation of the national rating"),
        ),
    ]
