const ring = 'M14.25 8a6.25 6.25 0 1 1-12.5 0 6.25 6.25 0 1 1 12.5 0z'

/** Each icon in a view box of 16 by 16: path data, or shapes where a part is rendered differently. */
export const icons = {
  applied: () => (
    <>
      <circle cx="8" cy="8" r="7" class="filled" />
      <path d="M4.8 8.2 7 10.4 11.2 5.8" class="cut" />
    </>
  ),
  approved: 'M8 1.5 13.5 3.5V7.5C13.5 11 11.2 13.5 8 14.5 4.8 13.5 2.5 11 2.5 7.5V3.5zM5.5 7.9 7.3 9.7 10.6 6.2',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowRight: 'M2.5 8h11M9.5 4l4 4-4 4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  bolt: 'M9.2 1.5 3.2 9h4.2l-.8 5.5 6.2-7.8H8.5z',
  braces:
    'M6 2.5c-2 0-2 1-2 2.5S3.5 7.5 2 8c1.5.5 2 1 2 3s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s.5 2.5 2 3c-1.5.500-2 1-2 3s0 2.5-2 2.5',
  broadcast: () => (
    <>
      <circle cx="8" cy="8" r="1.4" class="filled" />
      <path d="M5.1 10.9a4.1 4.1 0 0 1 0-5.8M10.9 5.1a4.1 4.1 0 0 1 0 5.8M2.9 13.1a7.2 7.2 0 0 1 0-10.2M13.1 2.9a7.2 7.2 0 0 1 0 10.2" />
    </>
  ),
  cancelled: `${ring}M3.6 12.4 12.4 3.6`,
  check: 'M3 8.5 6.5 12 13 4.5',
  chevronDown: 'M3.5 6 8 10.5 12.5 6',
  chevronLeft: 'M10 3.5 5.5 8l4.5 4.5',
  chevronRight: 'M6 3.5 10.5 8 6 12.5',
  comment: 'M2 3h12v8.5H7L4 14v-2.5H2z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2v8.5M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  draft: () => <circle cx="8" cy="8" r="6.25" stroke-dasharray="2.6 2.3" />,
  flag: 'M3.5 14.5v-12h9l-2 3.25 2 3.25h-9',
  inbox: 'M1.75 9 4 3h8l2.25 6v4H1.75zM1.75 9H5l1 2h4l1-2h3.25',
  info: `${ring}M8 7.3V11M8 5v.1`,
  key: 'M8.5 10.75a3.25 3.25 0 1 1-6.5 0 3.25 3.25 0 1 1 6.5 0zM7.6 8.4 13.5 2.5M11 5l2 2M9 7l1.5 1.5',
  list: 'M5.5 4h8.5M5.5 8h8.5M5.5 12h8.5M2 4h.1M2 8h.1M2 12h.1',
  lock: () => (
    <>
      <rect x="3" y="7" width="10" height="7" rx="1.5" />
      <path d="M5 7V5a3 3 0 0 1 6 0v2" />
    </>
  ),
  met: `${ring}M5.2 8.2 7.2 10.2 10.8 6`,
  minus: 'M3 8h10',
  offline:
    'M2 2l12 12M1.5 6.5a9.5 9.5 0 0 1 3-1.9M14.5 6.5A9.5 9.5 0 0 0 7 3.9M4 9.3a6 6 0 0 1 3-1.6M12 9.3a6 6 0 0 0-1.5-1M8 12.5v.1',
  open: ring,
  paused: `${ring}M6.3 5.8v4.4M9.7 5.8v4.4`,
  pencil: 'M2.5 13.5l.7-3L10.5 3.2l2.3 2.3-7.3 7.3z',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 11.8 4M13.5 1.5v3.5H10',
  rejected: `${ring}M5.75 5.75l4.5 4.5M10.25 5.75l-4.5 4.5`,
  review: 'M1.25 8S3.75 3.5 8 3.5 14.75 8 14.75 8 12.25 12.5 8 12.5 1.25 8 1.25 8zM10 8a2 2 0 1 1-4 0 2 2 0 1 1 4 0z',
  scheduled: `${ring}M8 4.5V8l2.5 1.5`,
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 1 1 9 0zM10.5 10.5 14 14',
  send: 'M2 8h9M8 4.5 11.5 8 8 11.5M14 3v10',
  sliders:
    'M2 5h6M12 5h2M2 11h2M8 11h6M11.75 5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 1 1 3.5 0zM7.75 11a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 1 1 3.5 0z',
  split: 'M2 8h4l5-4.5h3M6 8l5 4.5h3',
  stop: 'M5.3 1.75h5.4l3.55 3.55v5.4l-3.55 3.55H5.3L1.75 10.7V5.3zM8 4.9v3.7M8 11v.1',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4',
  undo: 'M5.5 2.5 2.5 5.5l3 3M2.5 5.5h7a4 4 0 0 1 0 8H6',
  users:
    'M8.5 5.25a2.5 2.5 0 1 1-5 0 2.5 2.5 0 1 1 5 0zM1.5 13.5c.4-2.8 2-4.2 4.5-4.2s4.1 1.4 4.5 4.2M10.5 3a2.5 2.5 0 0 1 0 4.6M12.2 9.7c1.3.6 2.1 1.9 2.3 3.8',
  warn: 'M8 1.9 14.6 13.6H1.4zM8 6.2v3.3M8 11.5v.1',
  x: 'M4 4l8 8M12 4l-8 8',
}

export type IconName = keyof typeof icons
