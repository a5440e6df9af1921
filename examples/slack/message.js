/** The maximum of Slack for the text of a section, and of a header. */
const maxText = 3_000
const maxTitle = 150

/** The parameters of `chat.postMessage` for a review. All that users wrote is plain text, which mentions and links nothing. */
function toMessage(review) {
  const { id, state, url, digest, steps, changeRequest } = review
  const changes = linesOfChanges(review).map(visible).join('\n')
  const isComplete = changes.length <= maxText
  const isOffered = (name) => steps.some(({ step, offered }) => step === name && offered)
  const value = JSON.stringify({ id, digest })
  const buttons = [
    // Nobody approves what the message does not show.
    ...(isOffered('approve') && isComplete ? [button('approve', 'Approve', { value, style: 'primary' })] : []),
    ...(isOffered('object') ? [button('object', 'Object…', { value })] : []),
    ...(isOffered('reject') ? [button('reject', 'Reject…', { value, style: 'danger' })] : []),
  ]
  const blocks = [
    { type: 'header', text: plain(shortened(changeRequest.title, maxTitle)) },
    section(linesOfReview(review).join('\n')),
    section(changes),
    ...(isComplete ? [] : [section('There is more to see before you can approve it.')]),
    ...(url ? [{ type: 'context', elements: [{ type: 'mrkdwn', text: `<${url}|Open the change request>` }] }] : []),
    ...(buttons.length > 0 ? [{ type: 'actions', elements: buttons }] : []),
  ]
  return { text: `Change request #${id}: ${state}`, blocks, parse: 'none' }
}

/** Who waits for whom, and who decided. */
function linesOfReview({ state, author, requirements, approvers, votes, objections, ended, changeRequest }) {
  const names = (people) => people.map(({ username }) => username).join(', ')
  const unmet = requirements.filter(({ mode, given, approvals }) => mode === 'enforce' && given < approvals)
  const waitsFor = unmet.map(({ name, given, approvals }) =>
    name === 'minimum' ? `${given} of ${approvals}` : `${given} of ${approvals} by ${name}`,
  )
  const approvedBy = votes.filter(({ current }) => current).map(({ person }) => person)
  const open = objections.filter((one) => one.ended === null)
  return [
    `${state} in ${changeRequest.environment}${ended ? `, by ${ended.by.username}` : ''}`,
    ...(ended || waitsFor.length === 0 ? [] : [`${author.username} waits for approvals: ${waitsFor.join(', ')}`]),
    ...(ended || approvers.length === 0 ? [] : [`Requested: ${names(approvers)}`]),
    ...(approvedBy.length === 0 ? [] : [`Approved by ${names(approvedBy)}`]),
    ...open.map(({ person, text }) => `${person.username} objects: ${shortened(text, 200)}`),
    ...(ended?.comment ? [shortened(ended.comment, 200)] : []),
  ]
}

/** Everything that the digest stands for: the changes, what they imply, and the custom fields. */
function linesOfChanges({ changes, changeRequest, customFields }) {
  const { features, segments } = changeRequest
  const proposed = new Map([...features.flatMap((flag) => flag.changes), ...segments].map((one) => [one.id, one]))
  return [
    ...changes.flatMap(({ id, feature, action, scope, fields, conflict }) => {
      const { name, payload } = proposed.get(id)
      const where = scope === 'project' ? ' in all environments' : ''
      return [
        `${feature ?? `Segment ${name}`}: ${inWords(action)}${where}`,
        ...fields.map(({ path, current, proposed: next }) => `  ${path} ${json(current)} → ${json(next)}`),
        // Without a difference, for example because the gateway does not return strategies, the payload is what is approved.
        ...(fields.length === 0 ? [`  ${json(payload)}`] : []),
        ...(conflict ? [`  Conflict: ${conflict}`] : []),
      ]
    }),
    ...features
      .filter(({ defaultChange }) => defaultChange)
      .map(({ name, defaultChange: { action, payload } }) => `${name}: also ${inWords(action)} ${json(payload)}`),
    ...Object.entries(customFields?.values ?? {}).map(([name, value]) => `${name}: ${json(value)}`),
  ]
}

const json = (value) => JSON.stringify(value)

const inWords = (action) => action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Without characters that break lines, change the direction of text or cannot be seen. */
const visible = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`)

function shortened(text, max) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > max ? `${line.slice(0, max - 1)}…` : line
}

const plain = (text) => ({ type: 'plain_text', text: text.toWellFormed(), emoji: false })
const section = (text) => ({ type: 'section', text: plain(text.slice(0, maxText)) })
const button = (action, label, more) => ({ type: 'button', action_id: action, text: plain(label), ...more })

const modals = {
  object: { title: 'Object', label: 'Why must it not be applied?', optional: false },
  reject: { title: 'Reject', label: 'Comment', optional: true },
}

/** The modal for the text of a decision, which it carries. */
function toModal(decision) {
  const { title, label, optional } = modals[decision.step]
  const element = { type: 'plain_text_input', action_id: 'text', multiline: true, max_length: 3_000 }
  return {
    type: 'modal',
    private_metadata: JSON.stringify(decision),
    title: plain(title),
    submit: plain(title),
    blocks: [{ type: 'input', block_id: 'text', label: plain(label), optional, element }],
  }
}

module.exports = { toMessage, toModal }
