// Faults in the example storage on LMDB: each removes one rule of the adapter.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
const folder = 'examples/custom-storage'
const [events, lists, search, storage, tables, writes] = [
  'events',
  'lists',
  'search',
  'storage',
  'tables',
  'writes',
].map((name) => `${folder}/lmdb-${name}.ts`)

/** Without `elsewhere` the suite for storages must detect it. */
function mutant(rule, fault, edits, elsewhere = {}) {
  return { id: `M26-lmdb-${rule}`, fault, edits, project: 'examples', test: `${folder}/lmdb-storage`, ...elsewhere }
}

function gone(file, text) {
  return [{ file, text, by: '' }]
}

const commit = [
  mutant('version', 'the version is not compared', gone(writes, '(before?.version ?? 0) !== expectedVersion || ')),
  mutant(
    'removal-of-nothing',
    'a missing change request can be removed',
    gone(writes, ' || (removed && before === undefined)'),
  ),
  mutant(
    'one-open',
    'a second open change request of the key is accepted',
    gone(writes, '    if (holder !== undefined && holder !== changeRequest.id) return false\n'),
  ),
  mutant(
    'open-freed',
    'a closed change request holds the key',
    gone(writes, ' else if (holder === changeRequest.id) open.removeSync(place)'),
  ),
  ...[
    ['project', '[part(project), part(environment), userId]', "['', part(environment), userId]"],
    ['environment', '[part(project), part(environment), userId]', "[part(project), '', userId]"],
    ['user', '[part(project), part(environment), userId]', '[part(project), part(environment), 0]'],
  ].map(([part, text, by]) =>
    mutant(`open-${part}`, `the key of the open change request lacks its ${part}`, [{ file: writes, text, by }]),
  ),
  mutant(
    'subjects',
    'old subjects are not removed',
    gone(lists, '  for (const subject of before) bySubject.removeSync([part(subject), createdAt, id])\n'),
  ),
  mutant('removed', 'a removed change request can still be found', [
    {
      file: writes,
      text: 'if (removed) tables.changeRequests.removeSync(changeRequest.id)\n  else ',
      by: '',
    },
  ]),
  mutant('removed-lists', 'a removed change request stays in the lists', [
    { file: lists, text: 'if (removed) lists.removeSync([place, createdAt, id])\n    else ', by: '' },
  ]),
  mutant('removed-events', 'a removal does not notify listeners', [
    {
      file: writes,
      text: 'putAttempt(tables, write)\n  return append(tables, events)',
      by: 'putAttempt(tables, write)\n  return removed || append(tables, events)',
    },
  ]),
  mutant('rollback', 'a write that fails halfway leaves its first half', [
    { file: storage, text: 'root.childTransaction(', by: 'root.transaction(' },
  ]),
  mutant('refusal', 'a write that returns false leaves what it had written', [
    { file: storage, text: 'work() || ABORT', by: 'work()' },
    { file: storage, text: 'outcome !== ABORT', by: 'outcome === true' },
  ]),
]

const idempotency = [
  mutant('idempotency', 'a record is not stored', gone(writes, '  idempotency.putSync(place, record)\n')),
  mutant(
    'idempotency-refuse',
    'a stored record does not reject the next write with its key',
    gone(writes, '  if (idempotency.get(place) !== undefined) return false\n'),
  ),
  mutant(
    'idempotency-expire',
    'a record older than a day rejects a write',
    gone(writes, '    idempotency.removeSync([old[1] as number, old[2] as string])\n'),
  ),
  mutant('idempotency-day', 'a record expires before a day is over', [
    { file: writes, text: 'const day = 24 *', by: 'const day = 23 *' },
  ]),
  mutant('idempotency-user', 'a record is stored by its key alone', [
    { file: writes, text: '[userId, part(record.key)]', by: '[0, part(record.key)]' },
    { file: storage, text: '[userId, part(key)]', by: '[0, part(key)]' },
  ]),
  mutant('idempotency-since', 'expired records are found', gone(storage, ' && record.createdAt >= since')),
]

const settings = [
  mutant(
    'settings-version',
    'the version of settings is not compared',
    gone(writes, '  if ((tables.settings.get(place)?.version ?? 0) !== expectedVersion) return false\n'),
  ),
  mutant('settings-events', 'settings are written without their events', [
    {
      file: writes,
      text: 'version: expectedVersion + 1 })\n  return append(tables, events)',
      by: 'version: expectedVersion + 1 })\n  return true',
    },
  ]),
  mutant('settings-unset', 'environments without settings are left out', [
    { file: storage, text: '[...environmentsOf(tables, project)].map(', by: '[].map(' },
  ]),
  mutant(
    'settings-order',
    'environments are not ordered',
    gone(storage, '.sort((a, b) => (a.environment < b.environment ? -1 : 1))'),
  ),
]

const reading = [
  mutant('find-project', 'find returns change requests of other projects', [
    { file: storage, text: 'found?.changeRequest.project === project ? found : undefined', by: 'found' },
  ]),
  mutant('newest-first', 'lists begin with the oldest', [
    {
      file: lists,
      text: '{ start, exclusiveStart: true, end: [place], reverse: true }',
      by: '{ start: [place], end: [place, last] }',
    },
  ]),
  mutant('by-time', 'lists are ordered by id alone', [
    { file: lists, text: 'createdBy, createdAt } = changeRequest', by: "createdBy } = changeRequest, createdAt = ''" },
  ]),
  mutant('offset', 'the offset is not skipped', [
    { file: lists, text: 'if (index > count) yield row', by: 'yield row' },
  ]),
  mutant('limit', 'a page is longer than its limit', [
    { file: lists, text: 'items.length === limit ||', by: 'items.length > limit ||' },
  ]),
  mutant('list-cursor', 'a page begins with the last item of the previous page', [
    {
      file: lists,
      text: 'exclusiveStart: true, end: [place]',
      by: 'exclusiveStart: after === undefined, end: [place]',
    },
  ]),
  mutant('bytes', 'a page is not bounded by bytes', gone(lists, ' || (items.length > 0 && total > bytes)')),
  mutant('bytes-one', 'a page can be empty', gone(lists, 'items.length > 0 && ')),
  mutant('bytes-characters', 'bytes are counted as characters', [
    { file: lists, text: 'Buffer.byteLength(JSON.stringify(value))', by: 'JSON.stringify(value).length' },
  ]),
  mutant('summary-first', 'a summary is never updated', [
    {
      file: lists,
      text: 'else summaries.putSync(',
      by: 'else if (summaries.get(id) === undefined) summaries.putSync(',
    },
  ]),
  ...[
    ['projects', '  if (projects !== undefined && !projects.includes(row.project)) return false\n'],
    ['states', '  if (states !== undefined && !states.includes(row.state)) return false\n'],
    ['author', '  if (createdBy !== undefined && row.createdBy !== createdBy) return false\n'],
    [
      'subject',
      '  if (filter.subjects !== undefined) return yield* searchSubjects(tables, filter, filter.subjects, after)\n',
    ],
  ].map(([name, text]) => mutant(`filter-${name}`, `lists ignore the filter ${name}`, gone(lists, text))),
  mutant('drafts', 'drafts of other users are shown', [
    { file: lists, text: "row.state !== 'Draft' || row.createdBy === viewer", by: 'viewer !== undefined' },
  ]),
  mutant('projects-once', 'a project is returned once for each change request', [
    { file: lists, text: 'return [...found]\n', by: 'return [...found, ...found]\n' },
  ]),
  mutant('fresh', 'a read returns what the process saw before', gone(storage, '    root.resetReadTxn()\n'), {
    project: 'storage',
    test: 'test/storage/lmdb-processes',
    only: 'sees immediately',
  }),
]

const log = [
  mutant('ids', 'ids are assigned twice', [
    { file: writes, text: 'numbers.putSync(kind, lastId + count)', by: 'numbers.putSync(kind, lastId + 1)' },
  ]),
  mutant('event-whole', 'an incomplete text is stored as an event', gone(events, '    JSON.parse(json)\n')),
  mutant('event-order', 'events are appended in another order', [
    { file: events, text: '...columns } of events)', by: '...columns } of [...events].reverse())' },
  ]),
  mutant('event-text', 'events are overwritten', [
    { file: events, text: 'Buffer.from(json)', by: 'Buffer.from(JSON.stringify(JSON.parse(json)))' },
  ]),
  mutant('head-project', 'the total of a project counts the events of all projects', [
    {
      file: events,
      text: 'heads.get([feature, place])?.total ?? 0) + 1',
      by: 'heads.get([feature, everywhere])?.total ?? 0) + 1',
    },
  ]),
  mutant('head-instance', 'the log of the instance lacks the events of projects', [
    { file: events, text: '[everywhere, part(name)]', by: '[part(name)]' },
  ]),
  mutant('head-twice', 'a project that is named twice counts twice', [
    { file: events, text: '[...new Set(names.map(part))]', by: 'names.map(part)' },
  ]),
  mutant('head-newest', 'the newest id is that of the first project alone', [
    { file: events, text: '...found.map((head) => head?.lastId ?? 0)', by: 'found[0]?.lastId ?? 0' },
  ]),
  mutant('cursor', 'a page begins with the event of its cursor', [
    { file: search, text: 'exclusiveStart: true', by: 'exclusiveStart: false' },
  ]),
  mutant('before', 'a page begins with the newest, wherever its cursor is', [
    { file: search, text: '[place, cursor.before]', by: '[place, Number.MAX_SAFE_INTEGER]' },
  ]),
  mutant('after', 'a page begins with the oldest, wherever its cursor is', [
    { file: search, text: '[place, cursor.after]', by: '[place, 0]' },
  ]),
  mutant('page-limit', 'a page of events is longer than its limit', gone(search, 'searched === limit || ')),
  mutant('page-far', 'an empty page does not return its position', [
    { file: search, text: '      lastId = id\n', by: '' },
    { file: search, text: 'toServed(id, grouped', by: 'toServed((lastId = id), grouped' },
  ]),
  mutant('groups', 'groups are on every page', [{ file: search, text: 'grouped === true ? value : {}', by: 'value' }]),
  ...[
    ['projects', '    isIn(event.project, projects) &&\n'],
    ['features', '    isIn(event.featureName, features) &&\n'],
    ['ids', '    isIn(id, ids) &&\n'],
    ['types', '    isIn(event.type, types) &&\n'],
    ['environments', '    isIn(event.environment, environments) &&\n'],
    ['creators', '    isIn(event.createdByUserId, createdBy) &&\n'],
    ['groups', '    isIn(event.groupId, groupIds) &&\n'],
    ['from', '    (from === undefined || event.createdAt >= from) &&\n'],
    ['to', "    (to === undefined || (to.includes('T') ? event.createdAt < to : dayOf(event) <= to)) &&\n"],
  ].map(([name, text]) => mutant(`events-${name}`, `events are not filtered by ${name}`, gone(search, text))),
  mutant('events-first', 'the first instant is left out', [
    { file: search, text: 'event.createdAt >= from', by: 'event.createdAt > from' },
  ]),
  mutant('events-last', 'the end of the range is included', [
    { file: search, text: 'event.createdAt < to', by: 'event.createdAt <= to' },
  ]),
  mutant('events-last-day', 'the last day is left out', [
    { file: search, text: 'dayOf(event) <= to', by: 'dayOf(event) < to' },
  ]),
  mutant('days', 'an event is not counted under its day', [
    { file: events, text: 'days.putSync(day, (days.get(day) ?? 0) + 1)', by: 'days.putSync(day, 1)' },
  ]),
  mutant('search-next', 'a search always reports its end', [
    { file: search, text: 'isFull ? continueAt(cursor, page.lastId) : null', by: 'null' },
  ]),
  mutant(
    'history-flag',
    'the events of the flag itself are left out',
    gone(search, '      isIn(event.featureName, history.features) ||\n'),
  ),
  mutant('text-case', 'a search for a text is case-sensitive', [
    { file: search, text: 'includes(lowerCase(text))', by: 'includes(text)' },
  ]),
  mutant('text-letters', 'other letters have a case', [{ file: search, text: '/[A-Z]+/g', by: '/.+/g' }]),
  mutant('text-anywhere', 'a text is searched for in the whole event', [
    {
      file: search,
      text: 'const { data, preData, tags } = JSON.parse(json)\n  return [data, preData, tags]',
      by: 'return [JSON.parse(json)]',
    },
  ]),
  mutant('text-tags', 'a text is not searched for in tags', [
    { file: search, text: '[data, preData, tags]', by: '[data, preData]' },
  ]),
  mutant('creators', 'creators of all projects are shown', [
    {
      file: events,
      text: 'for (const place of partsOf(projects)) {\n    for (const { key, value } of creators',
      by: 'for (const place of [everywhere]) {\n    for (const { key, value } of creators',
    },
  ]),
  mutant('creators-order', 'creators are not ordered', gone(events, '    .sort(([a], [b]) => a - b)\n')),
  mutant('creators-newest', 'a creator has the name of any event', [
    { file: events, text: 'Math.max(value, newest.get(key[1]) ?? 0)', by: 'newest.get(key[1]) ?? value' },
  ]),
  mutant('recount-nothing', 'a recount does nothing', gone(storage, '      await write(() => recount(tables))\n')),
  mutant('recount', 'a recount adds to the existing counts', gone(events, '  tables.heads.clearSync()\n')),
  mutant('projects-logged', 'projects that only have events are left out', [
    { file: lists, text: '[lists, log]', by: '[lists]' },
  ]),
  mutant('names', 'a name that is too long for a key makes a read fail', [
    { file: tables, text: "name.length <= 300 && !name.includes('\\0')", by: 'name.length > 0' },
  ]),
]

const processes = { project: 'storage', test: 'test/storage/lmdb-processes' }

const life = [
  mutant(
    'synced',
    'a commit returns before it is on the disk',
    [{ file: tables, text: 'overlappingSync: false', by: 'noSync: true' }],
    { ...processes, only: 'was synced' },
  ),
  mutant('full-disk', 'a full disk ends the process', gone(tables, ', eventTurnBatching: false'), {
    ...processes,
    only: 'disk full',
  }),
  mutant('full-disk-cause', 'the system error is not passed on', gone(storage, '.catch(rethrow)'), {
    ...processes,
    only: 'disk full',
  }),
  mutant('failures', 'all errors are unknown', [
    { file: storage, text: 'return failures.get(code)', by: 'return undefined' },
  ]),
  mutant(
    'failures-closed',
    'a closed store is no failure',
    gone(storage, "  if (/closed database|Database is closed/.test(String(message))) return 'unreachable'\n"),
  ),
  mutant('health', 'health throws when the store is closed', gone(storage, '.catch(() => unreachable)')),
  mutant('close', 'close does not wait', [
    { file: storage, text: '      await pendingWrites\n      await root.close()\n', by: '      void root.close()\n' },
  ]),
]

module.exports = [...commit, ...idempotency, ...settings, ...reading, ...log, ...life]
