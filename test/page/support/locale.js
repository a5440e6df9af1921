// Dates and numbers follow the locale of the browser, which is the same for all tests in Node.
for (const name of ['DateTimeFormat', 'NumberFormat']) {
  const Format = Intl[name]
  Intl[name] = function format(locale = 'en-GB', options = undefined) {
    return new Format(locale, options)
  }
}
