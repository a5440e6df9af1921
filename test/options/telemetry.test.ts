import { metrics, trace } from '@opentelemetry/api'
import { createChangeRequestRouter, memoryStorage, type TelemetryOptions } from '../../src'
import { noTelemetry } from '../../src/ports/telemetry'

const create = (telemetry: unknown) =>
  createChangeRequestRouter({
    storage: memoryStorage(),
    authenticate: () => null,
    telemetry: telemetry as TelemetryOptions,
  })

describe('the option telemetry', () => {
  const owner = 'createChangeRequestRouter'

  it('accepts a boolean, and the Meter and Tracer of @opentelemetry/api', async () => {
    const given = { meter: metrics.getMeter('host'), tracer: trace.getTracer('host'), byProject: true }
    for (const telemetry of [true, false, {}, given]) await create(telemetry).close()
  })

  it.each([
    ['yes', `${owner}: option "telemetry" must be a boolean, or an object with meter, tracer and byProject.`],
    [null, `${owner}: option "telemetry" must be a boolean, or an object with meter, tracer and byProject.`],
    [{ meters: {} }, `${owner}.telemetry: unknown option "meters". Known options: meter, tracer, byProject.`],
    [{ byProject: 1 }, `${owner}.telemetry: option "byProject" must be a boolean.`],
    [{ tracer: {} }, `${owner}.telemetry: option "tracer" must be a Tracer of @opentelemetry/api.`],
    [
      { meter: { createCounter() {} } },
      `${owner}.telemetry: option "meter" must be a Meter of @opentelemetry/api 1.9 or later.`,
    ],
  ])('rejects %p', (telemetry, message) => {
    expect(() => create(telemetry)).toThrow(new TypeError(message))
  })
})

describe('without the package @opentelemetry/api', () => {
  it('a router works, and the option telemetry is a TypeError that names the package', () => {
    jest.isolateModules(() => {
      jest.doMock('@opentelemetry/api', () => {
        throw new Error("Cannot find module '@opentelemetry/api'")
      })
      const fresh: typeof import('../../src') = jest.requireActual('../../src')
      const options = { storage: fresh.memoryStorage(), authenticate: () => null }
      expect(() => fresh.createChangeRequestRouter(options)).not.toThrow()
      const text = /option "telemetry" needs the package @opentelemetry\/api/
      expect(() => fresh.createChangeRequestRouter({ ...options, telemetry: true })).toThrow(text)
    })
  })
})

describe('without telemetry', () => {
  it('runs work as it is, and knows no trace', async () => {
    const value = {}
    expect(noTelemetry.span('commit', () => value)).toBe(value)
    expect(noTelemetry.scope()).toBe(noTelemetry.scope())
    expect(noTelemetry.scope().traceparent).toBeUndefined()
  })
})
