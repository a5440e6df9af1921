/**
 * The parts of a path, if every server parses it in the same way. A slash at the end is ignored.
 *
 * @param {string} url The target of the request, as sent.
 * @returns {string[] | undefined} Undefined for a path with empty parts, dots to resolve, or escapes that could hide a slash.
 */
function plainSegments(url) {
  const [path] = url.split('?', 1)
  if (!path.startsWith('/') || /[\\#;\s]|%(2f|5c|25|3b|[01]|7f)/i.test(path)) return undefined
  const segments = path.replace(/\/$/, '').split('/').slice(1)
  return segments.every(isPlain) ? segments : undefined
}

function isPlain(segment) {
  try {
    return !['', '.', '..'].includes(decodeURIComponent(segment))
  } catch {
    return false
  }
}

module.exports = { plainSegments }
