// prettier-ignore
/** The line icons of sprite.svg, without their prefix `i-`. */
export type IconName =
  | 'alert' | 'archive' | 'arrow-down' | 'arrow-left' | 'arrow-right' | 'arrow-up' | 'ban' | 'calendar' | 'camera' | 'check' | 'clock'
  | 'command' | 'copy' | 'cut' | 'down' | 'download' | 'drag' | 'drive' | 'edit' | 'error' | 'expand' | 'external' | 'eye'
  | 'eye-off' | 'file' | 'file-plus' | 'filter' | 'folder' | 'folder-move' | 'folder-plus' | 'gallery' | 'globe' | 'grid'
  | 'hash' | 'help' | 'home' | 'info' | 'jobs' | 'key' | 'laptop' | 'left' | 'link' | 'list' | 'lock' | 'logo' | 'logout'
  | 'menu' | 'minus' | 'moon' | 'more' | 'moveud' | 'offline' | 'ok' | 'palette' | 'panel' | 'paste' | 'pause' | 'phone'
  | 'pin' | 'play' | 'plus' | 'qr' | 'rename' | 'retry' | 'right' | 'rotate' | 'save' | 'search' | 'select' | 'share'
  | 'shield' | 'sidebar' | 'sliders' | 'sort' | 'split' | 'star' | 'star-on' | 'sun' | 'terminal' | 'trash' | 'undo'
  | 'unlink' | 'up' | 'updown' | 'upload' | 'user' | 'user-plus' | 'users' | 'wrap' | 'x' | 'zoom-in' | 'zoom-out'

// prettier-ignore
/** The glyphs of file types in sprite.svg, without their prefix `ft-`. */
export type FileGlyphName =
  | 'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'code' | 'table' | 'archive' | 'other' | 'broken'
