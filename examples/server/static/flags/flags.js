const project = '/api/admin/projects/default'
const status = document.getElementById('status')

/** Creates an element with children. Text is never parsed as HTML. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Calls the server as the user of the cookie. */
async function call(path, init = {}) {
  const response = await fetch(project + path, init)
  const body = await response.json()
  if (!response.ok) throw new Error(body.details?.map(({ message }) => message).join(' ') || body.message)
  return body
}

async function propose(environment, change) {
  status.textContent = 'Proposing…'
  try {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(change) }
    const { id } = await call(`/environments/${environment}/change-requests`, init)
    const href = `/review/projects/default/change-requests/${id}`
    status.replaceChildren('Proposed. ', element('a', { href }, `Change request ${id}`))
  } catch (error) {
    status.textContent = error.message
  }
}

function toggleForm(feature, { name, enabled }) {
  const form = element('form', {}, element('button', {}, enabled ? 'Switch off' : 'Switch on'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void propose(name, { action: 'updateEnabled', feature, payload: { enabled: !enabled } })
  })
  return form
}

function rolloutForm(feature, { name }, strategy) {
  const label = `Rollout of ${feature} in ${name}, %`
  const value = strategy.parameters.rollout
  const input = element('input', { type: 'number', min: 0, max: 100, value, ariaLabel: label })
  const form = element('form', {}, input, element('button', {}, 'Roll out'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const parameters = { ...strategy.parameters, rollout: input.value }
    const { id, name: kind, constraints, segments, title, disabled } = strategy
    const payload = { id, name: kind, parameters, constraints, segments, title, disabled }
    void propose(name, { action: 'updateStrategy', feature, payload })
  })
  return form
}

function row(feature, environment) {
  const { name, enabled, strategies } = environment
  const shares = strategies.map(({ parameters }) => `${parameters.rollout}\u00a0%`).join(', ')
  const forms = strategies.slice(0, 1).map((strategy) => rolloutForm(feature.name, environment, strategy))
  return element(
    'tr',
    {},
    element('th', { scope: 'row', title: feature.description }, feature.name),
    element('td', {}, name),
    element('td', {}, `${enabled ? 'on' : 'off'}, ${shares}`),
    element('td', {}, toggleForm(feature.name, environment), ...forms),
  )
}

async function show() {
  const { features } = await call('/features')
  const rows = features
    .filter(({ archived }) => !archived)
    .flatMap((feature) => feature.environments.map((environment) => row(feature, environment)))
  document.getElementById('flags').replaceChildren(...rows)
}

show().catch((error) => {
  status.textContent = error.message
})
