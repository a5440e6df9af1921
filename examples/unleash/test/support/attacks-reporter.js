/**
 * Prints how many attacks were run, and how many of them went through. Attacks are the tests in suites named "attack: …",
 * except those named "control: …", which show that the attack would work without the front.
 */
module.exports = async function* report(events) {
  const suites = new Map()
  const attacks = { run: 0, wentThrough: [] }
  for await (const { type, data } of events) {
    if (type === 'test:start') suites.set(`${data.file} ${data.nesting}`, data.name)
    if (!['test:pass', 'test:fail'].includes(type) || data.details.type === 'suite' || data.skip !== undefined) continue
    if (!isInAttack(suites, data) || data.name.startsWith('control: ')) continue
    attacks.run += 1
    if (type === 'test:fail') attacks.wentThrough.push(data.name)
  }
  yield `attacks on Unleash ${process.env.UNLEASH_VERSION}: ${attacks.run}, went through: ${attacks.wentThrough.length}\n`
  for (const name of attacks.wentThrough) yield `  ${name}\n`
}

function isInAttack(suites, { file, nesting }) {
  for (let above = nesting - 1; above >= 0; above -= 1) {
    if (suites.get(`${file} ${above}`)?.startsWith('attack: ')) return true
  }
  return false
}
