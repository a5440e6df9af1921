const { kinds } = require('./steps')

/**
 * Undoes the finished steps, from last to first. Later changes of other users are kept. Idempotent: a step that is already undone
 * is skipped.
 */
async function undoSteps(client, attempt) {
  const { steps, results } = attempt
  for (const [index, result] of [...results.entries()].reverse()) {
    const step = steps[index]
    const kind = kinds[step.kind]
    const current = await kind.read(client, attempt, step)
    // If the flag is deleted, there is nothing to undo.
    if (current === undefined || !wasTaken(kind, current, step, result)) continue
    await kind.undo(client, attempt, step, result.inDoubt ? undefined : result)
  }
}

/** A step with an unknown result counts as done, unless the state is still the one before it. */
function wasTaken(kind, current, step, result) {
  return result.inDoubt ? !kind.isBefore(current, step) : kind.isDone(current, step, result)
}

module.exports = { undoSteps }
