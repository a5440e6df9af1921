import type { Measured } from '../ports/telemetry'

export type Attributes = Record<string, string | number>

/** The attributes of a measurement. @param byProject whether the place is one */
export function toAttributes(
  { operation, from, to, state, consumer, status, place }: Measured,
  byProject: boolean,
): Attributes {
  const attributes: Attributes = {}
  // Assigned one by one, because it runs several times in each request.
  if (operation !== undefined) attributes['change_request.operation'] = operation
  if (from !== undefined) attributes['change_request.state.from'] = from
  if (to !== undefined) attributes['change_request.state.to'] = to
  if (state !== undefined) attributes['change_request.state'] = state
  if (consumer !== undefined) attributes['change_request.consumer.name'] = consumer
  if (status !== undefined) attributes['http.response.status_code'] = status
  if (!byProject || place === undefined) return attributes
  if (place.project !== undefined) attributes['change_request.project'] = place.project
  if (place.environment !== undefined) attributes['change_request.environment'] = place.environment
  return attributes
}
