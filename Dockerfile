# The program with its packages; the database is another container (docker-compose.yml).
FROM python:3.13-slim AS packages
WORKDIR /app
COPY requirements.lock .
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock

FROM python:3.13-slim
# SQLite sorts a rating list in files of its own; /tmp may be in memory.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 SWISS_DATA_DIR=/tmp/swiss-arbiter SQLITE_TMPDIR=/data
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin arbiter && install -d -o arbiter -m 700 /data /copies
WORKDIR /app
COPY --from=packages /venv /venv
COPY manage.py ./
COPY config config
COPY pairing pairing
COPY tournaments tournaments
COPY templates templates
COPY static static
COPY locale locale
COPY docs/arbiter docs/arbiter
COPY docs/img docs/img
RUN python manage.py collectstatic --noinput --verbosity 0
USER arbiter
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=6s --start-period=20s CMD ["python", "-m", "config.probe"]
CMD ["python", "-m", "tournaments.site.server", "0.0.0.0:8000"]
