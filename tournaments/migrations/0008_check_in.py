from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_prizes"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="check_in_open",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="tournament",
            name="check_in_round",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
