from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_fixed_tables")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="abnormal_points",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
