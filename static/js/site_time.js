// A time as the pages have it: in the time zone of the site, which may not be that of the phone.

export function siteTime(time, language, format) {
  const words = language === "en" ? "en-GB" : language;
  try {
    return new Intl.DateTimeFormat(words, { ...format, timeZone: document.body.dataset.zone }).format(time);
  } catch {
    return new Intl.DateTimeFormat(words, format).format(time); // a zone that this browser does not know
  }
}
