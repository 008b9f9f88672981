// Files of meshes: their names, those that are missing, and garbage.
#include "tests/engine/shapes/triangle_mesh.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::test::meshes;
using test::contains;
using test::difference;

TEST_CASE("a missing file is named with the absolute path looked at, another format with the known ones") {
    const Folder folder;
    Mesh mesh;
    mesh.file = "parts/../no such file.obj";
    CHECK(contains(failure(mesh, folder.path()), (folder.path() / "no such file.obj").string()));
    CHECK(contains(failure(mesh, {}), (std::filesystem::current_path() / "no such file.obj").string()));
    mesh.file = "model.gltf";
    CHECK(contains(failure(mesh, folder.path()), ".obj or .stl"));
    mesh.file = "model";
    CHECK(contains(failure(mesh, folder.path()), ".obj or .stl"));
    std::filesystem::create_directory(folder.path() / "folder.obj");
    mesh.file = "folder.obj";
    CHECK(contains(failure(mesh, folder.path()), "is not a file"));
    mesh.file.assign(5000, 'x');
    mesh.file += ".obj";
    CHECK(contains(failure(mesh, folder.path()), "there is no file at"));
    CHECK(mesh.data == nullptr);
}

TEST_CASE("file names may hold spaces and other letters, in sub-folders and as absolute paths") {
    const Folder folder;
    std::filesystem::create_directory(folder.path() / "sub folder");
    const std::string name = "sub folder/a box, gr\xC3\xB6\xC3\x9F"
                             "er.v2.obj";
    const Mesh mesh = folder.load(name, box_obj(brick));
    CHECK(difference(volume_integrals(*mesh.data), brick_integrals) < 1e-15);
    Mesh absolute;
    absolute.file = (folder.path() / name).string();
    load_mesh(absolute, "/another/folder");
    CHECK(absolute.data->file == mesh.data->file);
    CHECK(absolute.data->vertices == mesh.data->vertices);
}

TEST_CASE("a failed load leaves the mesh as it was") {
    const Folder folder;
    Mesh mesh = folder.load("box.obj", box_obj(brick));
    const auto before = mesh.data;
    folder.write("box.obj", "v 1 2\n");
    CHECK_THROWS_AS(load_mesh(mesh, folder.path()), InputError);
    CHECK(mesh.data == before);
}

TEST_CASE("garbage is refused, never obeyed: cut, flipped and random files") {
    const Folder folder;
    const std::vector<Vec3> corners = box_corners(brick);
    const std::vector<File> files{{"f.obj", box_obj(brick) + "f -1 -2 -3 -4 -5 -6 -7\nv 1 2 \\\n 3\n"},
                                  {"f.stl", ascii_stl(corners, box_triangles())},
                                  {"f.stl", binary_stl(corners, box_triangles())}};
    std::mt19937 generator{10};
    const auto below = [&generator](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>{0, n - 1}(generator);
    };
    const auto try_file = [&folder](const std::string& name, const std::string& content) {
        folder.failure_of(name, content);  // either result is right, as long as it is a result
    };
    const std::vector<std::string> pieces{
        "v ",     "f ",      "1e308 ",   "-1 ", "nan ",         "/",   "\\\n", "#", std::string(1, '\0'), "solid ",
        "facet ", "vertex ", "endloop ", "\r",  "99999999999 ", "\xFF"};
    for (const auto& [name, content] : files) {
        for (std::size_t size = 0; size < content.size(); size += 1 + below(7)) try_file(name, content.substr(0, size));
        for (int trial = 0; trial < 400; ++trial) {
            std::string broken = content;
            for (std::size_t n = 1 + below(4); n > 0; --n) broken[below(broken.size())] = static_cast<char>(below(256));
            if (trial % 2 == 0) broken.insert(below(broken.size()), pieces[below(pieces.size())]);
            try_file(name, broken);
        }
    }
    for (int trial = 0; trial < 400; ++trial) {
        std::string noise;
        for (std::size_t n = below(400); n > 0; --n)
            noise += trial % 2 == 0 ? std::string(1, static_cast<char>(below(256))) : pieces[below(pieces.size())];
        try_file("f.obj", noise);
        try_file("f.stl", noise);
        try_file("f.stl", "solid\n" + noise);
    }
}
