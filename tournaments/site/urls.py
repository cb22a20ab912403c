"""The addresses of the site: the hall page and the metrics."""

from django.urls import path

from tournaments.site.metrics_page import metrics
from tournaments.site.venue.page import hall

urlpatterns = [path("hall/", hall, name="hall"), path("metrics", metrics, name="metrics")]
