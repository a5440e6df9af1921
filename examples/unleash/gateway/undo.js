const { kinds } = require('./steps')

/**
 * Takes back what was done, from the last step to the first. What others have altered since then stays theirs. It can
 * be repeated: a step that is taken back already is left alone.
 */
async function undoSteps(client, application) {
  const { steps, results } = application
  for (const [index, result] of [...results.entries()].reverse()) {
    const step = steps[index]
    const kind = kinds[step.kind]
    const present = await kind.read(client, application, step)
    // Where the flag is gone there is nothing to take back.
    if (present === undefined || !wasTaken(kind, present, step, result)) continue
    await kind.undo(client, application, step, result.inDoubt ? undefined : result)
  }
}

/** A step in doubt counts as taken unless all is as before. */
function wasTaken(kind, present, step, result) {
  return result.inDoubt ? !kind.isBefore(present, step) : kind.isDone(present, step, result)
}

module.exports = { undoSteps }
