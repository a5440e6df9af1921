import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { version } from 'express/package.json'
import { changeRequestsPath, enable, people } from '../../support/app'
import type { RawRequest } from './raw-request'

/** A rejected request: its error, the request, status, name, and the path of the detail. */
export type BadRequest = readonly [string, RawRequest, number, string, (string | undefined)?]

export const json = { Authorization: people.ann.key, 'Content-Type': 'application/json' }
const path = changeRequestsPath()
const good = JSON.stringify(enable())

const keyed = (Authorization: string, more: object = {}): RawRequest => ({
  path,
  headers: { Authorization, 'Content-Type': 'application/json', ...more },
  body: good,
})
const typed = (type: string, more: object = {}): RawRequest => ({
  path,
  headers: { Authorization: people.ann.key, 'Content-Type': type, ...more },
  body: good,
})
const encoded = (encoding: string, body: Buffer): RawRequest => ({
  path,
  headers: { ...json, 'Content-Encoding': encoding },
  body,
})
const at = (project: string, environment = 'production'): RawRequest => ({
  path: changeRequestsPath(project, environment),
  headers: json,
  body: good,
})
export const sent = (body: string | Buffer): RawRequest => ({ path, headers: json, body })
/** A valid change of exactly this many bytes. */
export const sized = (bytes: number) => sent(good.padEnd(bytes))

// Express 4 does not support brotli.
const isExpress4 = version.startsWith('4.')

const bomb = Buffer.alloc(50 * 2 ** 20, ' ')
const secret = '0123456789abcdef'.repeat(4)
const unauthorized = [401, 'UnauthorizedError'] as const
const anonymous = [401, 'AuthenticationRequired'] as const
const forbidden = [403, 'ForbiddenError'] as const
const mediaType = [415, 'ContentTypeError'] as const
const tooLarge = [413, 'PayloadTooLargeError'] as const
const badData = [400, 'BadDataError'] as const

export const keys: readonly BadRequest[] = [
  ['no key', { path, headers: { 'Content-Type': 'application/json' }, body: good }, ...anonymous],
  ['a key in the query', { path: `${path}?key=${people.ann.key}`, headers: {}, body: good }, ...anonymous],
  ['a key in another header', { path, headers: { 'X-Api-Key': people.ann.key }, body: good }, ...anonymous],
  ['an unknown key', keyed('key-of-nobody-0123456789'), ...unauthorized],
  ['a client key', keyed(`shop:production.${secret}`), ...forbidden],
  ['a key without grants', keyed(people.eve.key), 403, 'PermissionError'],
  [
    'a key of another project',
    { ...at('blog'), headers: { ...json, Authorization: people.ben.key } },
    403,
    'PermissionError',
  ],
  [
    'a key of another environment',
    { ...at('shop', 'moon'), headers: { ...json, Authorization: people.ben.key } },
    403,
    'PermissionError',
  ],
  ['a key without a person', keyed(people.robot.key), 403, 'OperationDeniedError'],
]

export const bytes: readonly BadRequest[] = [
  ['no content type', { path, headers: { Authorization: people.ann.key }, body: good }, ...mediaType],
  ...[
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.x+json',
    'application/json-patch+json',
    'application/jsonx',
    'application/json,text/plain',
    'json',
    ';',
  ].map((type): BadRequest => [`the content type ${type}`, typed(type), ...mediaType]),
  ...['iso-8859-1', 'utf-7x', 'x'].map(
    (charset): BadRequest => [`the charset ${charset}`, typed(`application/json; charset=${charset}`), ...mediaType],
  ),
  ['an unknown content encoding', encoded('zip', Buffer.from(good)), ...mediaType],
  ['no body', { path, headers: json }, ...badData, '/body/action'],
  ['an empty body', sent(''), ...badData, '/body/action'],
  ['blanks for a body', sent('   '), ...badData],
  ...['{', '[1,', "{'a':1}", '{"a":1,}', '{"a":1}{"b":2}', 'undefined', 'NaN', '<xml/>', 'a=1&b=2', '\0'].map(
    (text): BadRequest => [`the body ${JSON.stringify(text)}`, sent(text), ...badData],
  ),
  [
    'bytes that are no UTF-8 in a name',
    sent(Buffer.from(good.replace('checkout', '\xff\xfe'), 'latin1')),
    ...badData,
    '/body/feature',
  ],
  ['gzip that is none', encoded('gzip', Buffer.from(good)), ...badData],
  ['gzip that is cut', encoded('gzip', gzipSync(good).subarray(0, -9)), ...badData],
  ['one byte over the limit', sized(102_401), ...tooLarge],
  ['ten times the limit', sized(1_024_000), ...tooLarge],
  ['50 MB in gzip', encoded('gzip', gzipSync(bomb)), ...tooLarge],
  ['50 MB in deflate', encoded('deflate', deflateSync(bomb)), ...tooLarge],
  ['50 MB in brotli', encoded('br', brotliCompressSync(bomb)), ...(isExpress4 ? mediaType : tooLarge)],
]

/** Invalid names in a path, as sent. */
const names = ['a%00', 'a%2Fb', '%252f', '..', '%2e%2e', '%0d%0aX-Injected:1', '%ED%A0%80', '%C3%A4', 'x'.repeat(101)]

export const paths: readonly BadRequest[] = [
  ...names.flatMap((name): BadRequest[] => {
    // Invalid UTF-8 fails before the parameter is known.
    const broken = name === '%ED%A0%80'
    return [
      [`the project ${name}`, at(name), ...badData, broken ? undefined : '/params/projectId'],
      [`the environment ${name}`, at('shop', name), ...badData, broken ? undefined : '/params/environment'],
    ]
  }),
  ['the broken escape %zz', at('%zz'), ...badData],
  ['the broken escape %', at('shop', '%'), ...badData],
]
