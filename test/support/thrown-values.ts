const throwing = () => {
  throw new Error('secret of a getter')
}

/** Traps that throw: nothing of the value can be read. */
const hostile = new Proxy({}, { get: throwing, has: throwing, getPrototypeOf: throwing, ownKeys: throwing })

/** What JavaScript can throw besides errors with a text. Each is created when it is thrown. */
export const thrownValues: readonly (readonly [what: string, create: () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a text', () => 'out of order'],
  ['a number', () => 7],
  ['a BigInt', () => 7n],
  ['a Symbol', () => Symbol('out of order')],
  ['a function', () => () => 1],
  ['an object', () => ({ code: 'E_DOWN' })],
  ['an object without a prototype', () => Object.create(null)],
  ['an array', () => [1, 2]],
  ['a promise that rejects', () => handled(Promise.reject(new Error('out of order')))],
  ['an error without a text', () => new Error()],
  ['an error whose message is an object', () => Object.assign(new Error(), { message: { code: 1 } })],
  ['an error whose message is a Symbol', () => Object.assign(new Error(), { message: Symbol('s') })],
  ['an error whose message is null', () => Object.assign(new Error(), { message: null })],
  ['an error whose message throws', () => Object.defineProperty(new Error(), 'message', { get: throwing })],
  ['an error whose stack throws', () => Object.defineProperty(new Error('x'), 'stack', { get: throwing })],
  ['an error whose name is a Symbol', () => Object.assign(new Error('x'), { name: Symbol('s') })],
  ['an error of a long text with NUL', () => new Error(`${'\u0000😀'.repeat(100_000)}`)],
  ['an error that is its own cause', () => Object.assign(new Error('x'), itself())],
  ['a proxy whose traps throw', () => hostile],
  ['a revoked proxy', revoked],
]

function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined)
  return promise
}

function itself(): { cause: unknown } {
  const error: { cause: unknown } = { cause: null }
  error.cause = error
  return error
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
