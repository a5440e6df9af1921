import type { Handler } from '../../ports/express/express-app'

/** Functions that Express creates: name and a part of the code, because host apps may use the same name. */
const functions: Readonly<Record<string, RegExp>> = {
  query: /\breq\.query\b/,
  expressInit: /\bsetPrototypeOf\(res\b/,
  jsonParser: /\bread\(req, res, next, parse\b/,
  rawParser: /\bread\(req, res, next, \w+, debug\b/,
  textParser: /\bread\(req, res, next, \w+, debug\b/,
  urlencodedParser: /\bread\(req, res, next, parse\b/,
  serveStatic: /\bsend\(req, path, opts\)/,
}

/** Whether Express created the function, such as `express.static()`. Such functions never write reviewed data. */
export function isOfExpress(handler: Handler): boolean {
  return Object.hasOwn(functions, handler.name) && functions[handler.name]?.test(String(handler)) === true
}
