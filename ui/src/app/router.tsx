import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Permissions } from '../../../src/domain/permissions.ts'
import type { TextPart } from '../i18n/parts.ts'
import { ErrorFrame, ErrorPage } from './error-page.tsx'
import { RouteError } from './route-error.tsx'
import type { Services } from './services.ts'
import { UnknownPath } from './unknown-path.tsx'

export type AppRouter = ReturnType<typeof createAppRouter>

const root = createRootRouteWithContext<Services>()({ component: Outlet, errorComponent: RouteError })

const loginRoute = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { mode?: string; redirect?: string; 'logout-reason'?: string } =>
    search,
  component: lazyRouteComponent(() => import('../sign-in/login-page.tsx'), 'LoginPage'),
})

/** Everything that needs an account. */
const signedInRoute = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ context, location }) => {
    if (context.session.state.get().status === 'signed-in') return
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
    throw redirect({ to: '/login', search: { redirect: location.href } })
  },
  component: lazyRouteComponent(() => import('./signed-in-layout.tsx'), 'SignedInLayout'),
})

const filesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/files/$',
  component: lazyRouteComponent(() => import('./files-screen.tsx'), 'FilesScreen'),
  errorComponent: RouteError,
})

const trashRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/trash',
  loader: texts('work'),
  component: lazyRouteComponent(() => import('../files/trash/trash-page.tsx'), 'TrashPage'),
  errorComponent: RouteError,
})

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  loader: texts('settings'),
  component: lazyRouteComponent(() => import('../admin/settings/settings-layout.tsx'), 'SettingsLayout'),
  errorComponent: RouteError,
})

const settingsRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/',
    beforeLoad: () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
      throw redirect({ to: '/settings/profile', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/profile',
    component: lazyRouteComponent(() => import('../admin/settings/profile/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/shares',
    beforeLoad: only((perm) => perm.share && perm.download),
    loader: texts('shares'),
    component: lazyRouteComponent(() => import('../admin/shares/shares-page.tsx'), 'SharesPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/global',
    beforeLoad: ({ location: { hash } }) => {
      // Older links name the section behind a hash.
      const to = hash === 'audit' ? '/settings/activity' : `/settings/global/${hash || 'accounts'}`
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
      throw redirect({ to, replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/global/$section',
    beforeLoad: only((perm) => perm.admin),
    loader: texts('admin', 'fields', 'users'),
    component: lazyRouteComponent(() => import('./global-settings-screen.tsx'), 'GlobalSettingsScreen'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/activity',
    beforeLoad: only((perm) => perm.admin),
    loader: texts('admin', 'fields'),
    component: lazyRouteComponent(() => import('../admin/settings/activity/activity-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/users',
    beforeLoad: only((perm) => perm.admin),
    loader: texts('users'),
    component: lazyRouteComponent(() => import('../admin/users/list/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/users/$id',
    beforeLoad: only((perm) => perm.admin),
    loader: texts('users', 'fields'),
    component: lazyRouteComponent(() => import('./user-screen.tsx'), 'UserScreen'),
  }),
]

const shareRoute = createRoute({
  getParentRoute: () => root,
  path: '/share/$',
  loader: texts('public'),
  component: lazyRouteComponent(() => import('./share-route.tsx'), 'ShareRoute'),
  errorComponent: RouteError,
})

const errorFrame = createRoute({ getParentRoute: () => root, id: 'error', component: ErrorFrame })

const errorRoutes = ([403, 404, 500] as const).map((status) =>
  createRoute({
    getParentRoute: () => errorFrame,
    path: `/${status}`,
    component: () => <ErrorPage status={status} />,
  }),
)

/** What a screen says besides the texts of the first view; it waits for them. */
function texts(...parts: TextPart[]) {
  return async ({ context }: { context: Services }): Promise<void> => {
    await Promise.all(parts.map((part) => context.translations.need(part)))
  }
}

/** Screens that somebody without the right does not get to see; the server guards what they ask for. */
function only(may: (perm: Permissions) => boolean) {
  return ({ context }: { context: Services }): void => {
    const state = context.session.state.get()
    if (state.status === 'signed-in' && may(state.user.perm)) return
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
    throw redirect({ to: '/403', replace: true })
  }
}

export function createAppRouter(services: Services) {
  return createRouter({
    routeTree: root.addChildren([
      loginRoute,
      signedInRoute.addChildren([filesRoute, trashRoute, settingsRoute.addChildren(settingsRoutes)]),
      shareRoute,
      errorFrame.addChildren(errorRoutes),
    ]),
    basepath: services.config.get().BaseURL || '/',
    context: services,
    defaultNotFoundComponent: UnknownPath,
    defaultErrorComponent: RouteError,
    trailingSlash: 'preserve',
    scrollRestoration: false,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
