/** What a browser fetches for each page: entry chunks, named by their sources; their static imports follow. */

const EVERY_PAGE = ['index.html']

export const SIGN_IN = [...EVERY_PAGE, 'src/sign-in/login-page.tsx', 'src/app/install-worker.ts']

/** The list of a folder. The service worker also fetches the sign-in page, so that signing out works offline. */
export const FILE_SCREEN = [
  ...SIGN_IN,
  'src/files/uploads/uploads-root.tsx',
  'src/app/signed-in-layout.tsx',
  'src/app/screens/files-screen.tsx',
  'src/files/list/sort/arrange.ts',
  'src/kit/menu/menu-popup.tsx',
  'src/kit/feedback/toaster.tsx',
]

const SHARE = [...EVERY_PAGE, 'src/app/screens/share-screen.tsx', 'src/kit/text/qr-code.tsx']

export const SHARED_FOLDER = [...SHARE, 'src/public/folder/folder-page.tsx']

export const SHARED_FILE = [...SHARE, 'src/public/file-card.tsx']
