export const kinds: Readonly<Record<string, string>> = {
  default: 'Standard',
  flexibleRollout: 'Gradual rollout',
  gradualRolloutUserId: 'Gradual rollout by user',
  gradualRolloutSessionId: 'Gradual rollout by session',
  gradualRolloutRandom: 'Gradual rollout at random',
  userWithId: 'Users by id',
  remoteAddress: 'IP addresses',
  applicationHostname: 'Hosts',
}

export function kindOf(name: string): string {
  return Object.hasOwn(kinds, name) ? (kinds[name] as string) : name
}
