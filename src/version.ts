/** The version of Kinora itself; a test holds it equal to that of `package.json`. */
export const kinoraVersion = "0.1.0";
