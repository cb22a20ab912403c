"""Add the rules of prizes: the choice, limits, rounding, combined conditions, prizes in kind."""

from django.db import migrations, models


def limit_from_one_each(apps, schema_editor):
    """Keep the rule of each event: at most one prize, or no limit."""
    apps.get_model("tournaments", "PrizeFund").objects.filter(one_each=False).update(most_each=0)


def one_each_from_limit(apps, schema_editor):
    """Any limit becomes one prize each."""
    apps.get_model("tournaments", "PrizeFund").objects.filter(most_each=0).update(one_each=False)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0016_figures_of_rating_lists"),
    ]

    operations = [
        migrations.AddField(
            model_name="prize",
            name="thing",
            field=models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        migrations.AddField(
            model_name="prizecategory",
            name="also",
            field=models.JSONField(
                blank=True, db_default=models.Value([], models.JSONField()), default=list
            ),
        ),
        migrations.AddField(
            model_name="prizecategory",
            name="team_size",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="prizefund",
            name="cap",
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="prizefund",
            name="choice",
            field=models.CharField(db_default="in_order", default="in_order", max_length=20),
        ),
        migrations.AddField(
            model_name="prizefund",
            name="excluded",
            field=models.JSONField(
                blank=True, db_default=models.Value([], models.JSONField()), default=list
            ),
        ),
        migrations.AddField(
            model_name="prizefund",
            name="minimum",
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="prizefund",
            name="most_each",
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="prizefund",
            name="unit",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="prizefund",
            name="withdrawn_win",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AlterField(
            model_name="prizecategory",
            name="eligible",
            field=models.CharField(
                choices=[
                    ("everybody", "Everybody"),
                    ("women", "Women"),
                    ("men", "Men"),
                    ("unrated", "Unrated"),
                    ("born_from", "Born From"),
                    ("born_until", "Born Until"),
                    ("age_from", "Age From"),
                    ("age_until", "Age Until"),
                    ("rating", "Rating"),
                    ("club", "Club"),
                    ("federation", "Federation"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="prizecategory",
            name="name",
            field=models.CharField(blank=True, max_length=100, verbose_name="name"),
        ),
        migrations.AlterField(
            model_name="prizefund",
            name="one_each",
            field=models.BooleanField(default=True, db_default=True),
        ),
        migrations.RunPython(limit_from_one_each, one_each_from_limit),
        migrations.RemoveField(model_name="prizefund", name="one_each"),
    ]
