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
const withAction = (action: unknown) => sent(JSON.stringify({ ...enable(), action }))
const withFeature = (feature: unknown) => sent(JSON.stringify({ ...enable(), feature }))
const withPayload = (payload: unknown) => sent(JSON.stringify({ ...enable(), payload }))
/** A change whose payload holds this JSON text. */
const holding = (text: string) =>
  sent(`{"action":"updateEnabled","feature":"a","payload":{"enabled":true,"x":${text}}}`)

/** A valid change of exactly this many bytes. */
export const sized = (bytes: number) => sent(good.padEnd(bytes))

/** A change of this depth: the change, its payload, and nested lists. */
export const nested = (depth: number) => holding('['.repeat(depth - 2) + ']'.repeat(depth - 2))

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
const exceeds = [400, 'ExceedsLimitError'] as const

export const keys: readonly BadRequest[] = [
  ['no key', { path, headers: { 'Content-Type': 'application/json' }, body: good }, ...anonymous],
  ['a key in the query', { path: `${path}?key=${people.ann.key}`, headers: {}, body: good }, ...anonymous],
  ['a key in another header', { path, headers: { 'X-Api-Key': people.ann.key }, body: good }, ...anonymous],
  ['an unknown key', keyed('key-of-nobody-0123456789'), ...unauthorized],
  ['an empty key', keyed(''), ...unauthorized],
  ['a key with one letter more', keyed(`${people.ann.key}0`), ...unauthorized],
  ['a key with one letter less', keyed(people.ann.key.slice(0, -1)), ...unauthorized],
  ['a key in capitals', keyed(people.ann.key.toUpperCase()), ...unauthorized],
  ['two keys', keyed(`${people.ann.key}, ${people.ann.key}`), ...unauthorized],
  ['Bearer without a key', keyed('Bearer'), ...unauthorized],
  ['Bearer and an unknown key', keyed('Bearer key-of-nobody-0123456789'), ...unauthorized],
  ['Bearer twice', keyed(`Bearer Bearer ${people.ann.key}`), ...unauthorized],
  ['Basic', keyed(`Basic ${Buffer.from(`ann:${people.ann.key}`).toString('base64')}`), ...unauthorized],
  ['a key of 8 kB', keyed('x'.repeat(8000)), ...unauthorized],
  ['an unknown admin token', keyed(`*:*.${secret}`), ...unauthorized],
  ['a client key', keyed(`shop:production.${secret}`), ...forbidden],
  ['a client key of all projects', keyed(`*:production.${secret}`), ...forbidden],
  ['a client key of several projects, with Bearer', keyed(`Bearer []:production.${secret}`), ...forbidden],
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

export const structures: readonly BadRequest[] = [
  ...['null', '"text"', '1', 'true', '-0.5'].map(
    (text): BadRequest => [`the body ${text}`, sent(text), ...badData, '/body'],
  ),
  ['NUL in a name', withFeature('a\0b'), ...badData, '/body/feature'],
  ['NUL in a payload', holding('"a\\u0000b"'), ...badData, '/body/payload/x'],
  ['NUL in a key', holding('{"a\\u0000b":1}'), ...badData, '/body/payload/x'],
  ['the first half of a surrogate pair', holding('"\\ud83d"'), ...badData, '/body/payload/x'],
  ['the second half alone', holding('["ok","\\ude00\\ud83d"]'), ...badData, '/body/payload/x/1'],
  ['half a pair in a key', holding('{"\\ud83d":1}'), ...badData, '/body/payload/x'],
  ['__proto__ as a key', sent(`${good.slice(0, -1)},"__proto__":{"admin":true}}`), ...badData, '/body/__proto__'],
  ['__proto__ deep inside', holding('[{"__proto__":null}]'), ...badData, '/body/payload/x/0/__proto__'],
  ['1e400', holding('1e400'), ...badData, '/body/payload/x'],
  ['-1e400', holding('[-1e400]'), ...badData, '/body/payload/x/0'],
  ['a depth of 33', nested(33), ...badData, `/body/payload/x${'/0'.repeat(30)}`],
  ['a depth of 320', nested(320), ...badData, `/body/payload/x${'/0'.repeat(30)}`],
  ['50,000 lists in each other', sent('['.repeat(50_000) + ']'.repeat(50_000)), ...badData, `/body${'/0'.repeat(32)}`],
  [
    '10,000 objects in each other',
    sent('{"a":'.repeat(10_000) + '1'.concat('}'.repeat(10_000))),
    ...badData,
    `/body${'/a'.repeat(32)}`,
  ],
  ['20,001 values', holding(`[${'1,'.repeat(20_000)}1]`), ...badData, '/body'],
]

export const changes: readonly BadRequest[] = [
  ['an empty list', sent('[]'), ...badData, '/body'],
  ['an empty object', sent('{}'), ...badData, '/body/action'],
  ['a list in the list', sent(`[[${good}]]`), ...badData, '/body/0'],
  ['null in the list', sent(`[${good},null]`), ...badData, '/body/1'],
  ['101 changes', sent(`[${Array(101).fill(good).join()}]`), ...exceeds],
  ['1,000 changes', sent(`[${Array(1000).fill(good).join()}]`), ...exceeds],
  ...[
    'explode',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'UpdateEnabled',
    '',
    null,
    1,
    true,
    [],
    {},
    ['updateEnabled'],
  ].map((action): BadRequest => [`the action ${JSON.stringify(action)}`, withAction(action), ...badData, 'action']),
  ['no action', sent('{"feature":"a","payload":{}}'), ...badData, '/body/action'],
  ['no feature', sent('{"action":"updateEnabled","payload":{"enabled":true}}'), ...badData, '/body/feature'],
  ...['', '.', '..', 'a b', 'a/b', '%00', 'ä', 'a\nb', 'x'.repeat(101), 12, null, [], {}].map(
    (feature): BadRequest => [
      `the feature ${JSON.stringify(feature)}`,
      withFeature(feature),
      ...badData,
      '/body/feature',
    ],
  ),
  ['no payload', sent('{"action":"updateEnabled","feature":"a"}'), ...badData, '/body/payload'],
  ...[null, 'on', 1, true, []].map(
    (payload): BadRequest => [
      `the payload ${JSON.stringify(payload)}`,
      withPayload(payload),
      ...badData,
      '/body/payload',
    ],
  ),
  ['a payload without what it must hold', withPayload({}), ...badData, '/body/payload/enabled'],
  ['a text for a boolean', withPayload({ enabled: 'true' }), ...badData, '/body/payload/enabled'],
  ['a number for a boolean', withPayload({ enabled: 1 }), ...badData, '/body/payload/enabled'],
  ['a fraction for an id', sent('{"action":"deleteSegment","payload":{"id":1.5}}'), ...badData, '/body/payload/id'],
  [
    'an id beyond 2^53',
    sent('{"action":"deleteSegment","payload":{"id":9007199254740993}}'),
    ...badData,
    '/body/payload/id',
  ],
  [
    'a property too many',
    sent('{"action":"addReleasePlan","feature":"a","payload":{"templateId":"t","x":1}}'),
    ...badData,
    '/body/payload/x',
  ],
]

/** Invalid names in a path, as sent. */
const names = [
  '%00',
  'a%00',
  '%2F',
  'a%2Fb',
  '%252f',
  '.',
  '..',
  '%2e%2e',
  'a%20b',
  '%0d%0aX-Injected:1',
  '%ED%A0%80',
  '%C3%A4',
  "a'%22--",
  'a;b',
  'x'.repeat(101),
]

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
