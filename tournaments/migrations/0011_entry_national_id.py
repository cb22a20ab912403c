"""Add the number of a player in the national federation."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_smaller_rating_lists")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="national_id",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=20, verbose_name="national ID"
            ),
        ),
    ]
