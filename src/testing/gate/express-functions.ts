import type { Handler } from './express-app'

/** The functions that Express itself makes, by name, and a part of their code: a host may use the same name. */
const functions: Readonly<Record<string, RegExp>> = {
  query: /\breq\.query\b/,
  expressInit: /\bsetPrototypeOf\(res\b/,
  jsonParser: /\bread\(req, res, next, parse\b/,
  rawParser: /\bread\(req, res, next, \w+, debug\b/,
  textParser: /\bread\(req, res, next, \w+, debug\b/,
  urlencodedParser: /\bread\(req, res, next, parse\b/,
  serveStatic: /\bsend\(req, path, opts\)/,
}

/** Whether Express made the function, such as `express.static()`: then it writes nothing that is reviewed. */
export function isOfExpress(handler: Handler): boolean {
  return Object.hasOwn(functions, handler.name) && functions[handler.name]?.test(String(handler)) === true
}
