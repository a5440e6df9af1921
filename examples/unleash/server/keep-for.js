/** Caches the results of an asynchronous function by its argument, for at most `ms` after the call. */
function keepFor(ms, ask) {
  const answers = new Map()
  return (question) => {
    const kept = answers.get(question)
    if (kept !== undefined && kept.until > Date.now()) return kept.answer
    if (answers.size >= 1_000) answers.clear()
    const answer = ask(question)
    answers.set(question, { answer, until: Date.now() + ms })
    answer.catch(() => answers.delete(question))
    return answer
  }
}

module.exports = { keepFor }
