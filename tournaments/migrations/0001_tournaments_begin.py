import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tournaments.models.tournament


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                ("fide_id", models.PositiveBigIntegerField(blank=True, null=True, verbose_name="FIDE ID")),
                ("federation", models.CharField(blank=True, max_length=3, verbose_name="federation")),
                ("club", models.CharField(blank=True, max_length=100, verbose_name="club")),
                (
                    "sex",
                    models.CharField(
                        blank=True,
                        choices=[("m", "man"), ("w", "woman"), ("", "not said")],
                        max_length=1,
                        verbose_name="sex",
                    ),
                ),
                (
                    "title",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("GM", "GM"),
                            ("IM", "IM"),
                            ("WGM", "WGM"),
                            ("FM", "FM"),
                            ("WIM", "WIM"),
                            ("CM", "CM"),
                            ("WFM", "WFM"),
                            ("WCM", "WCM"),
                            ("", "no title"),
                        ],
                        max_length=3,
                        verbose_name="title",
                    ),
                ),
                ("birth_date", models.CharField(blank=True, max_length=10, verbose_name="birth date")),
                ("fide_rating", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="FIDE rating")),
                (
                    "national_rating",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="national rating"),
                ),
                ("strength", models.PositiveSmallIntegerField(default=0, verbose_name="strength")),
                (
                    "strength_source",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("fide", "FIDE rating"),
                            ("national", "national rating"),
                            ("estimate", "arbiter’s estimate"),
                            ("", "none"),
                        ],
                        max_length=10,
                        verbose_name="source of the strength",
                    ),
                ),
                ("tpn", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="TPN")),
                ("checked_in", models.BooleanField(default=False, verbose_name="checked in")),
                (
                    "first_round",
                    models.PositiveSmallIntegerField(
                        default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name="first round"
                    ),
                ),
                (
                    "withdrawn_from",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="withdrawn from round"),
                ),
                ("created_at", models.DateTimeField(verbose_name="entered")),
            ],
            options={
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
                "ordering": (models.OrderBy(models.F("tpn"), nulls_last=True), "-strength", "name"),
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="round"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "planned"),
                            ("draft", "draft"),
                            ("published", "published"),
                            ("results", "results published"),
                        ],
                        default="planned",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("starts_at", models.DateTimeField(blank=True, null=True, verbose_name="start of play")),
                ("results_due_at", models.DateTimeField(blank=True, null=True, verbose_name="results announced for")),
                ("paired_at", models.DateTimeField(blank=True, null=True, verbose_name="paired")),
                ("paired_from_version", models.PositiveIntegerField(blank=True, null=True)),
                ("published_at", models.DateTimeField(blank=True, null=True, verbose_name="pairings published")),
                ("results_published_at", models.DateTimeField(blank=True, null=True, verbose_name="results published")),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("board", models.PositiveSmallIntegerField(verbose_name="board")),
                (
                    "result",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("10", "1-0"),
                            ("==", "½-½"),
                            ("01", "0-1"),
                            ("00", "0-0"),
                            ("=0", "½-0"),
                            ("0=", "0-½"),
                            ("+-", "1-0 forfeit"),
                            ("-+", "0-1 forfeit"),
                            ("--", "0-0 double forfeit"),
                            ("WL", "1-0 unrated"),
                            ("DD", "½-½ unrated"),
                            ("LW", "0-1 unrated"),
                            ("??", "adjourned"),
                            ("", "no result yet"),
                        ],
                        default="",
                        max_length=2,
                        verbose_name="result",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="games", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "verbose_name": "game",
                "verbose_name_plural": "games",
                "ordering": ("board",),
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "colour",
                    models.CharField(
                        blank=True, choices=[("w", "White"), ("b", "Black")], max_length=1, verbose_name="colour"
                    ),
                ),
                (
                    "bye",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("U", "pairing-allocated bye"),
                            ("F", "full-point bye"),
                            ("H", "half-point bye"),
                            ("Z", "absent (zero-point bye)"),
                        ],
                        max_length=1,
                        verbose_name="bye",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="tournaments.entry"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="tournaments.game",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
            },
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=80, unique=True, verbose_name="address")),
                ("name", models.CharField(max_length=200, verbose_name="name")),
                ("city", models.CharField(blank=True, max_length=100, verbose_name="city")),
                ("federation", models.CharField(blank=True, max_length=3, verbose_name="federation")),
                ("start_date", models.DateField(blank=True, null=True, verbose_name="first day")),
                ("end_date", models.DateField(blank=True, null=True, verbose_name="last day")),
                ("chief_arbiter", models.CharField(blank=True, max_length=200, verbose_name="chief arbiter")),
                (
                    "deputy_arbiters",
                    models.TextField(blank=True, help_text="One per line.", verbose_name="deputy arbiters"),
                ),
                ("time_control", models.CharField(blank=True, max_length=100, verbose_name="time control")),
                (
                    "total_rounds",
                    models.PositiveSmallIntegerField(
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(99),
                        ],
                        verbose_name="rounds",
                    ),
                ),
                (
                    "system",
                    models.CharField(
                        choices=tournaments.models.tournament._system_choices,
                        default="dutch_2026",
                        max_length=30,
                        verbose_name="pairing system",
                    ),
                ),
                (
                    "tie_break_edition",
                    models.CharField(
                        choices=[("c07_2026", "C.07, applied from 1 March 2026")],
                        default="c07_2026",
                        max_length=20,
                        verbose_name="edition of the tie-break rules",
                    ),
                ),
                (
                    "initial_colour",
                    models.CharField(
                        blank=True,
                        choices=[("w", "White"), ("b", "Black")],
                        max_length=1,
                        verbose_name="initial colour",
                    ),
                ),
                (
                    "initial_colour_method",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("drawn", "drawn by lot by this program"),
                            ("drawn_outside", "drawn by lot at the venue"),
                            ("imported", "taken from an imported file"),
                        ],
                        max_length=20,
                        verbose_name="how the initial colour was drawn",
                    ),
                ),
                ("points_win", models.PositiveSmallIntegerField(default=10, verbose_name="win")),
                ("points_draw", models.PositiveSmallIntegerField(default=5, verbose_name="draw")),
                ("points_loss", models.PositiveSmallIntegerField(default=0, verbose_name="loss")),
                ("points_absence", models.PositiveSmallIntegerField(default=0, verbose_name="absence or forfeit loss")),
                ("points_pab", models.PositiveSmallIntegerField(default=10, verbose_name="pairing-allocated bye")),
                (
                    "list_state",
                    models.CharField(
                        choices=[("provisional", "provisional"), ("definitive", "definitive")],
                        default="provisional",
                        max_length=12,
                        verbose_name="list of participants",
                    ),
                ),
                ("prohibited_pairs", models.JSONField(blank=True, default=list, verbose_name="prohibited pairs")),
                ("trf_extras", models.JSONField(blank=True, default=list)),
                ("version", models.PositiveIntegerField(default=0)),
                ("pairing_version", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(verbose_name="created")),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tournaments_created",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament",
                "verbose_name_plural": "tournaments",
                "ordering": (models.OrderBy(models.F("start_date"), descending=True, nulls_last=True), "name"),
            },
        ),
        migrations.AddField(
            model_name="round",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="tournaments.tournament"
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sequence", models.PositiveIntegerField(verbose_name="number")),
                ("act", models.CharField(max_length=40, verbose_name="act")),
                ("article", models.CharField(blank=True, max_length=40, verbose_name="article")),
                ("actor_name", models.CharField(max_length=150, verbose_name="by")),
                ("at", models.DateTimeField(verbose_name="time")),
                ("round_number", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="round")),
                ("before", models.JSONField(default=dict, verbose_name="before")),
                ("after", models.JSONField(default=dict, verbose_name="after")),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                ("previous_hash", models.CharField(blank=True, max_length=64)),
                ("hash", models.CharField(max_length=64, verbose_name="fingerprint")),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "decision",
                "verbose_name_plural": "decisions",
                "ordering": ("sequence",),
            },
        ),
        migrations.CreateModel(
            name="RequestedBye",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "round_number",
                    models.PositiveSmallIntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="round"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("F", "full-point bye"), ("H", "half-point bye"), ("Z", "absent (zero-point bye)")],
                        default="Z",
                        max_length=1,
                        verbose_name="kind",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requested_byes",
                        to="tournaments.entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "requested bye",
                "verbose_name_plural": "requested byes",
                "ordering": ("round_number",),
                "constraints": [models.UniqueConstraint(fields=("entry", "round_number"), name="requested_bye_once")],
            },
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(fields=("round", "board"), name="game_board_once"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("result__in", ["10", "==", "01", "00", "=0", "0=", "+-", "-+", "--", "WL", "DD", "LW", "??", ""])
                ),
                name="game_result_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(condition=models.Q(("board__gte", 1)), name="game_board_from_one"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("round", "entry"), name="seat_once_per_round"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "colour"), name="seat_colour_once_per_game"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("bye", "U")), fields=("round",), name="seat_one_pab_per_round"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("game__isnull", False), ("colour__in", ["w", "b"]), ("bye", "")),
                    models.Q(("game__isnull", True), ("colour", ""), ("bye__in", ["U", "F", "H", "Z"])),
                    _connector="OR",
                ),
                name="seat_game_or_bye",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("total_rounds__gte", 1)), name="tournament_rounds_at_least_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("points_win__gte", models.F("points_draw")), ("points_draw__gte", models.F("points_loss"))
                ),
                name="tournament_points_in_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="round_number_once"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("tournament", "tpn"), name="entry_tpn_once"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("fide_id__isnull", False)),
                fields=("tournament", "fide_id"),
                name="entry_fide_id_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("tpn__isnull", True), ("tpn__gte", 1), _connector="OR"), name="entry_tpn_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(fields=("tournament", "sequence"), name="decision_sequence_once"),
        ),
    ]
