const { kinds } = require('./steps')

/**
 * Undoes the finished steps, from last to first. Later changes of other users are kept. Idempotent: a step that is already undone
 * is skipped.
 */
async function undoSteps(client, application) {
  const { steps, results } = application
  for (const [index, result] of [...results.entries()].reverse()) {
    const step = steps[index]
    const kind = kinds[step.kind]
    const present = await kind.read(client, application, step)
    // If the flag is deleted, there is nothing to undo.
    if (present === undefined || !wasTaken(kind, present, step, result)) continue
    await kind.undo(client, application, step, result.inDoubt ? undefined : result)
  }
}

/** A step with an unknown result counts as done, unless the state is still the one before it. */
function wasTaken(kind, present, step, result) {
  return result.inDoubt ? !kind.isBefore(present, step) : kind.isDone(present, step, result)
}

module.exports = { undoSteps }
