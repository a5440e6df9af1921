/** The paths of each icon, in a view box of 16 by 16. */
export const icons = {
  applied: () => (
    <>
      <circle cx="8" cy="8" r="7" class="filled" />
      <path d="M4.8 8.2 7 10.4 11.2 5.8" class="cut" />
    </>
  ),
  approved: () => (
    <>
      <path d="M8 1.5 13.5 3.5V7.5C13.5 11 11.2 13.5 8 14.5 4.8 13.5 2.5 11 2.5 7.5V3.5z" />
      <path d="M5.5 7.9 7.3 9.7 10.6 6.2" />
    </>
  ),
  arrowDown: () => <path d="M8 3v10M4 9l4 4 4-4" />,
  arrowRight: () => <path d="M2.5 8h11M9.5 4l4 4-4 4" />,
  arrowUp: () => <path d="M8 13V3M4 7l4-4 4 4" />,
  bolt: () => <path d="M9.2 1.5 3.2 9h4.2l-.8 5.5 6.2-7.8H8.5z" />,
  braces: () => (
    <path d="M6 2.5c-2 0-2 1-2 2.5S3.5 7.5 2 8c1.5.5 2 1 2 3s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s.5 2.5 2 3c-1.5.500-2 1-2 3s0 2.5-2 2.5" />
  ),
  broadcast: () => (
    <>
      <circle cx="8" cy="8" r="1.4" class="filled" />
      <path d="M5.1 10.9a4.1 4.1 0 0 1 0-5.8M10.9 5.1a4.1 4.1 0 0 1 0 5.8M2.9 13.1a7.2 7.2 0 0 1 0-10.2M13.1 2.9a7.2 7.2 0 0 1 0 10.2" />
    </>
  ),
  cancelled: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M3.6 12.4 12.4 3.6" />
    </>
  ),
  check: () => <path d="M3 8.5 6.5 12 13 4.5" />,
  chevronDown: () => <path d="M3.5 6 8 10.5 12.5 6" />,
  chevronLeft: () => <path d="M10 3.5 5.5 8l4.5 4.5" />,
  chevronRight: () => <path d="M6 3.5 10.5 8 6 12.5" />,
  comment: () => <path d="M2 3h12v8.5H7L4 14v-2.5H2z" />,
  download: () => <path d="M8 2v8.5M4.5 7 8 10.5 11.5 7M2.5 13.5h11" />,
  draft: () => <circle cx="8" cy="8" r="6.25" stroke-dasharray="2.6 2.3" />,
  flag: () => <path d="M3.5 14.5v-12h9l-2 3.25 2 3.25h-9" />,
  inbox: () => (
    <>
      <path d="M1.75 9 4 3h8l2.25 6v4H1.75z" />
      <path d="M1.75 9H5l1 2h4l1-2h3.25" />
    </>
  ),
  info: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 7.3V11M8 5v.1" />
    </>
  ),
  key: () => (
    <>
      <circle cx="5.25" cy="10.75" r="3.25" />
      <path d="M7.6 8.4 13.5 2.5M11 5l2 2M9 7l1.5 1.5" />
    </>
  ),
  list: () => <path d="M5.5 4h8.5M5.5 8h8.5M5.5 12h8.5M2 4h.1M2 8h.1M2 12h.1" />,
  lock: () => (
    <>
      <rect x="3" y="7" width="10" height="7" rx="1.5" />
      <path d="M5 7V5a3 3 0 0 1 6 0v2" />
    </>
  ),
  met: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M5.2 8.2 7.2 10.2 10.8 6" />
    </>
  ),
  minus: () => <path d="M3 8h10" />,
  offline: () => (
    <path d="M2 2l12 12M1.5 6.5a9.5 9.5 0 0 1 3-1.9M14.5 6.5A9.5 9.5 0 0 0 7 3.9M4 9.3a6 6 0 0 1 3-1.6M12 9.3a6 6 0 0 0-1.5-1M8 12.5v.1" />
  ),
  open: () => <circle cx="8" cy="8" r="6.25" />,
  paused: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M6.3 5.8v4.4M9.7 5.8v4.4" />
    </>
  ),
  pencil: () => <path d="M2.5 13.5l.7-3L10.5 3.2l2.3 2.3-7.3 7.3z" />,
  plus: () => <path d="M8 3v10M3 8h10" />,
  refresh: () => <path d="M13.5 8A5.5 5.5 0 1 1 11.8 4M13.5 1.5v3.5H10" />,
  rejected: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M5.75 5.75l4.5 4.5M10.25 5.75l-4.5 4.5" />
    </>
  ),
  review: () => (
    <>
      <path d="M1.25 8S3.75 3.5 8 3.5 14.75 8 14.75 8 12.25 12.5 8 12.5 1.25 8 1.25 8z" />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
  scheduled: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  search: () => (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="M10.5 10.5 14 14" />
    </>
  ),
  send: () => <path d="M2 8h9M8 4.5 11.5 8 8 11.5M14 3v10" />,
  sliders: () => (
    <>
      <path d="M2 5h6M12 5h2M2 11h2M8 11h6" />
      <circle cx="10" cy="5" r="1.75" />
      <circle cx="6" cy="11" r="1.75" />
    </>
  ),
  split: () => <path d="M2 8h4l5-4.5h3M6 8l5 4.5h3" />,
  stop: () => (
    <>
      <path d="M5.3 1.75h5.4l3.55 3.55v5.4l-3.55 3.55H5.3L1.75 10.7V5.3z" />
      <path d="M8 4.9v3.7M8 11v.1" />
    </>
  ),
  trash: () => <path d="M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4" />,
  undo: () => <path d="M5.5 2.5 2.5 5.5l3 3M2.5 5.5h7a4 4 0 0 1 0 8H6" />,
  users: () => (
    <>
      <circle cx="6" cy="5.25" r="2.5" />
      <path d="M1.5 13.5c.4-2.8 2-4.2 4.5-4.2s4.1 1.4 4.5 4.2M10.5 3a2.5 2.5 0 0 1 0 4.6M12.2 9.7c1.3.6 2.1 1.9 2.3 3.8" />
    </>
  ),
  warn: () => (
    <>
      <path d="M8 1.9 14.6 13.6H1.4z" />
      <path d="M8 6.2v3.3M8 11.5v.1" />
    </>
  ),
  x: () => <path d="M4 4l8 8M12 4l-8 8" />,
}

export type IconName = keyof typeof icons
