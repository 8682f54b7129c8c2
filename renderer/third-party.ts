// The licences of the packages that Mooring contains. Filled by the build (build/third-party.ts); loaded on request,
// because of its length.
export const thirdPartyNotices: string = '';
