// Requests that end. A wifi that is connected but dead takes a request and never answers.

const LIMIT = 5_000; // ms until the answer begins; a long list may need more time on a slow network

export async function get(address, options = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), LIMIT);
  try {
    return await fetch(address, { ...options, signal: stop.signal });
  } finally {
    clearTimeout(timer);
  }
}
