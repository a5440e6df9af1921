/** A strategy for half of the users. */
export const half = { name: 'flexibleRollout', constraints: [], parameters: { rollout: '50' } }

export const enable = (feature: string, more = {}) => ({
  action: 'updateEnabled',
  feature,
  payload: { enabled: true, ...more },
})

export const depend = (feature: string, parent: string, more = {}) => ({
  action: 'addDependency',
  feature,
  payload: { feature: parent, ...more },
})
