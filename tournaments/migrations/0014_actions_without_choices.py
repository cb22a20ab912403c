"""Take the names of the actions out of the column, so that a new action needs no migration."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_jobs")]

    operations = [
        migrations.AlterField(
            model_name="decision",
            name="action",
            field=models.CharField(max_length=40, verbose_name="action"),
        ),
    ]
