import { Type, type Static } from 'typebox'

/** What the page is told at its start, as JSON in `#filemgr-config`. */
export const ClientConfig = Type.Object({
  AuthMethod: Type.String(),
  BaseURL: Type.String(),
  CSS: Type.Boolean(),
  Color: Type.String(),
  /** The page was asked for with the cookie of a living session, although scripts cannot see that cookie. */
  CookieSession: Type.Optional(Type.Literal(true)),
  DisableExternal: Type.Boolean(),
  DisableUsedPercentage: Type.Boolean(),
  EnableExec: Type.Boolean(),
  EnableThumbs: Type.Boolean(),
  HideLoginButton: Type.Boolean(),
  LoginPage: Type.Boolean(),
  /** An administrator has put a logo of theirs in place of ours. */
  Logo: Type.Optional(Type.Literal(true)),
  LogoutPage: Type.String(),
  Name: Type.String(),
  NoAuth: Type.Boolean(),
  ReCaptcha: Type.Boolean(),
  /** Origin of the captcha service; only where there is one. */
  ReCaptchaHost: Type.Optional(Type.String()),
  ReCaptchaKey: Type.Optional(Type.String()),
  ResizePreview: Type.Boolean(),
  Signup: Type.Boolean(),
  StaticURL: Type.String(),
  Theme: Type.String(),
  TusSettings: Type.Object({ chunkSize: Type.Integer(), retryCount: Type.Integer() }),
  Version: Type.String(),
  /** There is a program here that makes pictures of videos: else each of them would cost a vain request. */
  VideoThumbs: Type.Optional(Type.Literal(true)),
})
export type ClientConfig = Static<typeof ClientConfig>
