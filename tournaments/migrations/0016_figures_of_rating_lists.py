"""Keep women's title, K, rated games and their list with each player."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0015_words_of_settings"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="k_factor",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(40)],
                verbose_name="K",
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="list_games",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(999)],
                verbose_name="rated games",
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="rating_list",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=40, verbose_name="rating list"
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="women_title",
            field=models.CharField(
                blank=True,
                choices=[
                    ("WGM", "WGM"),
                    ("WIM", "WIM"),
                    ("WFM", "WFM"),
                    ("WCM", "WCM"),
                    ("", "no title"),
                ],
                db_default="",
                default="",
                max_length=3,
                verbose_name="women’s title",
            ),
        ),
    ]
