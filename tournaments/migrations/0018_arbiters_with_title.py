"""Show at the name of the Chief Arbiter how title and FIDE ID are written: no SQL."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0017_prize_rules"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="chief_arbiter",
            field=models.CharField(
                blank=True,
                help_text="With title and FIDE ID, such as IA Rossi, Anna (2000016); the deputies too [B.01 1.1.5].",
                max_length=200,
                verbose_name="Chief arbiter",
            ),
        ),
    ]
