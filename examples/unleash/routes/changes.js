const { ChangeRequestError } = require('express-change-requests')
const { applyPatch, deepClone } = require('fast-json-patch')
const { path } = require('../server/client')
const { convertPayload } = require('./convert')

/**
 * Converts a blocked write to changes for a draft. Each function receives the path parameters, the body, the query and the client
 * of the server, and throws a BadDataError for a body that the server would reject.
 */
const switchOn = ({ params, query }) => [switchTo(params.feature, true, query)]
const switchOff = ({ params }) => [switchTo(params.feature, false)]
const switchAllOn = ({ body }) => namesIn(body).map((feature) => switchTo(feature, true))
const switchAllOff = ({ body }) => namesIn(body).map((feature) => switchTo(feature, false))

const addStrategy = ({ params, body }) => [
  change('addStrategy', params.feature, {
    constraints: [],
    parameters: {},
    ...pick(body, ['name', ...strategyFields]),
  }),
]
/** The server empties both lists if they are not sent; a change would keep them. */
const updateStrategy = ({ params, body }) => [
  change('updateStrategy', params.feature, {
    id: params.strategy,
    constraints: [],
    variants: [],
    ...pick(body, ['name', ...strategyFields]),
  }),
]
const deleteStrategy = ({ params }) => [change('deleteStrategy', params.feature, { id: params.strategy })]
const reorderStrategies = ({ params, body }) => [change('reorderStrategy', params.feature, body)]

async function patchStrategy({ params, body, client }) {
  const { project, feature, environment, strategy } = params
  const present = await client.find(
    path`projects/${project}/features/${feature}/environments/${environment}/strategies/${strategy}`,
  )
  const patched = pick(patch(present, body), strategyFields)
  return [change('updateStrategy', feature, { id: strategy, ...patched })]
}

const replaceVariants = ({ params, body }) => [change('patchVariant', params.feature, { variants: body })]

async function patchVariants({ params, body, client }) {
  const { project, feature, environment } = params
  const present = await client.find(path`projects/${project}/features/${feature}/environments/${environment}/variants`)
  return [change('patchVariant', feature, { variants: patch(present?.variants, body) })]
}

/** A change request has one environment, so variants for several environments cannot be proposed. */
function replaceVariantsOfOne({ params, body }) {
  if (body?.environments?.length !== 1) return null
  return [change('patchVariant', params.feature, { variants: body.variants ?? [] })]
}

const archive = ({ params }) => [change('archiveFeature', params.feature)]
const archiveAll = ({ body }) => namesIn(body).map((feature) => change('archiveFeature', feature))

const addDependency = ({ params, body }) => [
  change('addDependency', params.feature, pick(body, ['feature', 'enabled', 'variants'])),
]
const deleteDependency = ({ params }) => [change('deleteDependency', params.feature)]

const updateSegment = ({ params, body }) => [
  change('updateSegment', undefined, { id: Number(params.segment), ...pick(body, segmentFields) }),
]
const deleteSegment = ({ params }) => [change('deleteSegment', undefined, { id: Number(params.segment) })]

const strategyFields = ['title', 'disabled', 'sortOrder', 'constraints', 'parameters', 'segments', 'variants']
const maxNames = 500
const segmentFields = ['name', 'description', 'project', 'constraints']

function switchTo(feature, enabled, { shouldActivateDisabledStrategies } = {}) {
  const activates = enabled && shouldActivateDisabledStrategies === 'true'
  return change('updateEnabled', feature, { enabled, ...(activates && { shouldActivateDisabledStrategies: true }) })
}

const change = (action, feature, payload) => ({
  action,
  ...(feature !== undefined && { feature }),
  ...(payload !== undefined && { payload: convertPayload(action, payload) }),
})

/** @throws BadDataError unless the body has a list of names; its length is limited, because each name causes a read */
function namesIn(body, property = 'features') {
  const names = isObject(body) ? body[property] : undefined
  if (!Array.isArray(names) || names.length > maxNames || names.some((name) => typeof name !== 'string')) {
    throw badBody(property, `must be a list of at most ${maxNames} names`)
  }
  return [...new Set(names)]
}

function pick(body, keys) {
  if (!isObject(body)) throw badBody('', 'must be an object')
  return Object.fromEntries(keys.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]))
}

function patch(present, operations) {
  try {
    return applyPatch(deepClone(present), operations, true).newDocument
  } catch {
    throw badBody('', 'must be a JSON Patch that fits what is there')
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function badBody(property, problem) {
  const message = `The ${property === '' ? 'body' : `property ${property} of the body`} ${problem}.`
  return new ChangeRequestError('BadDataError', message, { details: [{ message, path: `/body/${property}` }] })
}

module.exports = {
  addDependency,
  addStrategy,
  archive,
  archiveAll,
  deleteDependency,
  deleteSegment,
  deleteStrategy,
  namesIn,
  patchStrategy,
  patchVariants,
  reorderStrategies,
  replaceVariants,
  replaceVariantsOfOne,
  switchAllOff,
  switchAllOn,
  switchOff,
  switchOn,
  updateSegment,
  updateStrategy,
}
