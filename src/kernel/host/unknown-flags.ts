import type { NewChange } from '../../domain/change-request'
import { ChangeRequestError } from '../../errors'
import type { HostServices } from '../host-services'
import { callHook } from './hooks'

export async function unknownFeaturesError(
  services: HostServices,
  project: string,
  changes: readonly NewChange[],
): Promise<ChangeRequestError | undefined> {
  const unknown = await unknownFeatures(services, project, changes)
  if (unknown.length === 0) return undefined
  return new ChangeRequestError('NotFoundError', `The project has no flag named ${unknown.join(', ')}.`)
}

export async function unknownFeatures(
  services: HostServices,
  project: string,
  changes: readonly Pick<NewChange, 'feature'>[],
): Promise<readonly string[]> {
  const { directory } = services
  const features = [...new Set(changes.flatMap(({ feature }) => feature ?? []))]
  if (features.length === 0 || directory.knownFeatures === undefined) return []
  const ask = () => directory.knownFeatures?.(project, features)
  const known = new Set(await callHook(services, 'directory.knownFeatures', ask))
  return features.filter((feature) => !known.has(feature))
}
