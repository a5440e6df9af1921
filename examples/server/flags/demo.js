const { insertStrategy, insertVariants } = require('./writes')

/** The demo project. Its ids are fixed, so that a README can mention them. */
const project = 'default'

const environments = [
  { name: 'development', type: 'development', default_strategy: null },
  { name: 'production', type: 'production', default_strategy: strategy({ rollout: '10', title: 'A tenth first' }) },
]

const segment = {
  id: 1,
  project,
  name: 'Beta testers',
  description: 'Users who signed up for early access',
  constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'] }],
}

const template = {
  id: 'careful-rollout',
  name: 'Careful rollout',
  milestones: [
    { name: 'A few', strategies: [strategy({ rollout: '5' })] },
    { name: 'Half', strategies: [strategy({ rollout: '50' })] },
    { name: 'Everybody', strategies: [strategy({ rollout: '100' })] },
  ],
}

/** For each environment: whether the flag is enabled, and its strategies. */
const flags = [
  {
    name: 'checkout',
    description: 'The new checkout',
    tags: [{ type: 'team', value: 'payments' }],
    development: { enabled: true, strategies: [strategy({ id: 'checkout-everybody', rollout: '100' })] },
    production: {
      enabled: false,
      strategies: [strategy({ id: 'checkout-half', rollout: '50', stickiness: 'userId' })],
    },
  },
  {
    name: 'dark-mode',
    description: 'Dark colours',
    tags: [],
    development: { enabled: true, strategies: [strategy({ id: 'dark-mode-everybody', rollout: '100' })] },
    production: { enabled: false, strategies: [strategy({ id: 'dark-mode-off', rollout: '100', disabled: true })] },
  },
  {
    name: 'new-search',
    description: 'Search with suggestions',
    tags: [],
    development: { enabled: true, strategies: [strategy({ id: 'new-search-everybody', rollout: '100' })] },
    production: {
      enabled: true,
      strategies: [
        strategy({ id: 'new-search-beta', rollout: '100', segments: [1] }),
        strategy({ id: 'new-search-few', rollout: '5' }),
      ],
      variants: [
        { name: 'list', weight: 500, weightType: 'variable', stickiness: 'default' },
        { name: 'grid', weight: 500, weightType: 'variable', stickiness: 'default' },
      ],
    },
  },
  {
    name: 'pay-by-card',
    description: 'Pay by card as well as by invoice',
    tags: [{ type: 'team', value: 'payments' }],
    development: { enabled: true, strategies: [strategy({ id: 'pay-by-card-everybody', rollout: '100' })] },
    production: { enabled: false, strategies: [strategy({ id: 'pay-by-card-few', rollout: '5' })] },
  },
]

function strategy({ rollout, stickiness = 'default', title = '', ...others }) {
  return {
    name: 'flexibleRollout',
    title,
    disabled: false,
    constraints: [],
    parameters: { rollout, stickiness, groupId: 'demo' },
    ...others,
  }
}

/** Inserts the demo project into an empty store, once, also if several processes try concurrently. */
function seedDemo(knex) {
  return knex.transaction(async (trx) => {
    // The process that inserts this row creates the demo, also if several start concurrently.
    const seeded = await trx('flag_projects').insert({ name: project }).onConflict().ignore().returning('name')
    if (seeded.length === 0) return false
    for (const [position, { default_strategy, ...environment }] of environments.entries()) {
      const text = default_strategy && JSON.stringify(default_strategy)
      await trx('flag_environments').insert({ project, position, ...environment, default_strategy: text })
    }
    await trx('flag_segments').insert({ ...segment, constraints: JSON.stringify(segment.constraints) })
    await trx('flag_templates').insert({ ...template, milestones: JSON.stringify(template.milestones) })
    for (const flag of flags) await seedFlag(trx, flag)
    return true
  })
}

async function seedFlag(trx, { name, description, tags, ...places }) {
  await trx('flag_features').insert({ name, project, description, tags: JSON.stringify(tags), archived: false })
  for (const [environment, { enabled, strategies, variants = [] }] of Object.entries(places)) {
    await trx('flag_feature_environments').insert({ feature: name, environment, enabled })
    for (const one of strategies) await insertStrategy(trx, { feature: name, environment }, one)
    await insertVariants(trx, { feature: name, environment }, variants)
  }
}

module.exports = { seedDemo }
