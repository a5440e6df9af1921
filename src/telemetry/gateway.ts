import type { FlagGateway, SyncFlagGateway } from '../ports/flags'
import type { Telemetry } from '../ports/telemetry'

/** The gateway with a span for each call. */
export function tracedGateway<Gateway extends FlagGateway | SyncFlagGateway>(
  gateway: Gateway,
  telemetry: Telemetry,
): Gateway {
  const traced =
    (name: 'current' | 'apply' | 'outcome') =>
    (...args: unknown[]) =>
      telemetry.span(`flags.${name}`, () => (gateway[name] as (...given: unknown[]) => unknown).apply(gateway, args))
  return {
    ...(gateway.transactional !== undefined && { transactional: gateway.transactional }),
    ...(gateway.actions !== undefined && { actions: gateway.actions }),
    current: traced('current'),
    apply: traced('apply'),
    ...(gateway.outcome !== undefined && { outcome: traced('outcome') }),
  } as Gateway
}
