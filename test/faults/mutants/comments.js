// Faults in what may still happen to a comment, and in how the page shows it.
const rules = 'src/domain/steps/comment-rules.ts'
const unit = { project: 'unit', test: 'test/domain/decisions/discussion.test' }
const races = { project: 'storage', test: 'test/storage/review/comment-races.test' }
const isLast = 'comment.id === current.comments.at(-1)?.id && '
const page = (file, text, by) => ({ edits: [{ file: `src/page/app/${file}`, text, by }] })
const seen = { project: 'browser', test: 'test/page/browser/comments.test', build: 'page' }

module.exports = [
  {
    id: 'K1-time',
    fault: 'a comment can be edited at any time',
    edits: [{ file: rules, text: 'createdAt) > editableMs', by: 'createdAt) > Number.MAX_VALUE' }],
    ...unit,
  },
  {
    id: 'K1-reply',
    fault: 'a comment can be edited after a reply',
    edits: [{ file: rules, text: isLast, by: '' }],
    ...unit,
  },
  {
    id: 'K1-race',
    fault: 'a comment can be edited after a reply, if both are sent at the same time',
    edits: [{ file: rules, text: isLast, by: '' }],
    ...races,
  },
  {
    id: 'K1-step',
    fault: 'a comment that came with a vote can be edited',
    edits: [
      {
        file: 'src/domain/decisions/review.ts',
        text: 'withFinalComments(withBoundedVotes({ ...commented, approvals: [...others, vote] }))',
        by: '{ ...withFinalComments(current), comments: commented.comments, approvals: [...others, vote] }',
      },
    ],
    ...unit,
  },
  {
    id: 'K2-kept',
    fault: 'a comment that was being edited is lost by a reload',
    ...page('screens/request/discussion/comment-form.tsx', "useState(draft !== '')", 'useState(false)'),
    ...seen,
    only: 'stays over a reload',
  },
  {
    id: 'K2-link',
    fault: 'an address with a user name before its host is a link',
    ...page(
      'words/links.ts',
      'piece.toLowerCase().startsWith(new URL(piece).origin)',
      'new URL(piece).origin !== null',
    ),
    project: 'page',
    test: 'test/page/words/links.test',
  },
]
