from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_acceleration")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="lots_seed",
            field=models.CharField(blank=True, max_length=100, verbose_name="seed of the lots"),
        ),
    ]
